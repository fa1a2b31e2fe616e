import cors from '@koa/cors';
import type { Middleware } from 'koa';

const exposed =
  'WWW-Authenticate, ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Idempotency-Replayed, Preference-Applied, Deprecation, Sunset';

const open = cors({ origin: '*', allowMethods: 'GET,HEAD,POST,PUT,PATCH,DELETE', exposeHeaders: exposed, maxAge: 86_400 });

/** Lets pages of any origin call the API. A page has nothing there but the token that it sends: no cookie counts. */
export const apiCors: Middleware = (ctx, next) => {
  if (!/^\/(v1\/|graphql(\/stream)?$)/.test(ctx.path)) return next();
  if (ctx.headers.origin !== undefined) return open(ctx as never, next);
  // No page: it has only to be told apart from one in caches.
  ctx.set('Vary', 'Origin');
  return next();
};
