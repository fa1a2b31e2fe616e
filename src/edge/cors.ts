import cors from '@koa/cors';
import type { Middleware } from 'koa';

const exposed =
  'WWW-Authenticate, ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Idempotency-Replayed, Preference-Applied, Deprecation, Sunset';

const open = cors({ origin: '*', allowMethods: 'GET,HEAD,POST,PUT,PATCH,DELETE', exposeHeaders: exposed, maxAge: 86_400 });

/** Lets pages of any origin call the API. A page has nothing there but the token that it sends: no cookie counts. */
export const apiCors: Middleware = (ctx, next) => (/^\/(v1\/|graphql(\/stream)?$)/.test(ctx.path) ? open(ctx as never, next) : next());
