import cors from '@koa/cors';
import type { Middleware } from 'koa';

const exposed =
  'WWW-Authenticate, ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Idempotency-Replayed, Preference-Applied, Deprecation, Sunset';

const open = cors({
  origin: '*',
  allowMethods: 'GET,HEAD,POST,PUT,PATCH,DELETE',
  exposeHeaders: exposed,
  maxAge: 86_400,
});

/**
 * Allows any origin to call the API: no cookie counts, so a page has only the token that it sends.
 */
export const apiCors: Middleware = (ctx, next) => {
  if (
    !/^\/(v1\/|graphql(\/stream)?$|\.well-known\/oauth-protected-resource(\/v1)?$)/.test(ctx.path)
  )
    return next();
  // For caches. Responses to pages of another origin, and compressed ones, differ.
  if (ctx.headers.origin === undefined) {
    ctx.set('Vary', 'Accept-Encoding, Origin');
    return next();
  }
  ctx.set('Vary', 'Accept-Encoding');
  return open(ctx as never, next);
};
