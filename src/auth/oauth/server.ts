/**
 * The OAuth 2.1 authorization server: oidc-provider with checks before and error pages after it.
 */
import cors from '@koa/cors';
import type { Middleware, ParameterizedContext } from 'koa';
import mount from 'koa-mount';
import { ApiError } from '../../errors.js';
import { toApiError } from '../../http/error-mapping.js';
import { refuseNul } from '../../http/form.js';
import { headersOf } from '../../pages/security.js';
import { Authenticator } from '../principal.js';
import { mendForm } from './form.js';
import { createInteractions, type Interactions } from './interactions.js';
import { AuthorizeLimiter, maxAuthorizeQuery } from './limits.js';
import { sendOAuthError } from './oauth-error.js';
import { showRefusal } from './pages.js';
import { createProvider, type OAuthDeps } from './provider.js';
import { startPurging } from './purge.js';
import { withinRequest } from './request.js';
import {
  isOAuthPath,
  oauthPrefix,
  patternOf,
  type Route,
  routeOf,
  withoutPrefix,
} from './routes.js';
import { endWebSession } from './sessions.js';
import { answerUserinfo, requestedScope } from './userinfo.js';

export interface OAuthServer {
  readonly interactions: Interactions;
  /** Serves the paths of `isOAuthPath`. */
  readonly middleware: Middleware;
  close(): Promise<void>;
}

type Handler = (ctx: ParameterizedContext, next: () => Promise<void>) => Promise<void>;

/** Tokens are sent in a header, never in a cookie, so any origin may send a token that it has. */
const openCors = cors({
  origin: '*',
  allowMethods: 'GET,POST',
  exposeHeaders: 'WWW-Authenticate',
  maxAge: 3600,
}) as unknown as Handler;

/**
 * Seconds that clients may cache the JWKS and the discovery document; less than the overlap of a
 * key rotation.
 */
export const metadataMaxAge = 300;

export async function createOAuthServer(deps: OAuthDeps): Promise<OAuthServer> {
  const { config, db, keys, log } = deps;
  const base = new URL(config.BASE_URL);
  const authenticator = new Authenticator(config, keys, db);
  const limiter = await AuthorizeLimiter.create(config);
  const build = () => {
    const provider = createProvider(deps, authenticator, limiter);
    return { provider, run: mount(oauthPrefix, provider) as unknown as Handler };
  };
  // The keys of a provider are fixed, so a key change creates a new one. Requests in progress
  // finish on the old one.
  let current = build();
  keys.onChange(() => {
    current = build();
  });
  const stopKeys = keys.follow((err) => log.error({ err }, 'the poll for new signing keys failed'));
  const stopPurging = startPurging(db, log);

  async function answer(ctx: ParameterizedContext, path: string, { kind }: Route): Promise<void> {
    if (path === '/userinfo') return openCors(ctx, () => answerUserinfo(ctx, authenticator));
    if (path === '/authorize') {
      await limiter.countRequest(ctx.ip);
      if (ctx.querystring.length > maxAuthorizeQuery)
        throw new ApiError(
          'invalid_request',
          `The parameters of an authorization request must have at most ${maxAuthorizeQuery} characters.`,
        );
    }
    if (path === '/authorize' && !Array.isArray(ctx.query.scope))
      ctx.query = { ...ctx.query, scope: requestedScope(ctx.query.scope) };
    if (kind === 'page') {
      // A form that oidc-provider makes the browser post may go to an app.
      ctx.set(headersOf({ leadsAway: true }));
    } else {
      // Apps get JSON, also with `Accept: */*`.
      ctx.req.headers.accept = 'application/json';
      ctx.set(
        'Cache-Control',
        kind === 'metadata' ? `public, max-age=${metadataMaxAge}` : 'no-store',
      );
    }
    if (kind === 'form' && ctx.method === 'POST') await mendForm(ctx, path);
    await current.run(ctx, async () => {});
    if (path === '/token') mendTokenError(ctx);
    if (path === '/logout/confirm' && ctx.oidc?.session?.destroyed)
      await endWebSession(ctx, config, db);
  }

  return {
    interactions: createInteractions(config, db, () => current.provider),
    async middleware(ctx, next) {
      const asked = ctx.path;
      if (!isOAuthPath(asked)) return next();
      const { requestId } = ctx.state;
      const path = withoutPrefix(asked);
      // The state that pages expect (pages/page.tsx), without a session.
      ctx.state = { requestId, route: patternOf(asked), session: undefined, csrf: '' };
      // The base URL determines the protocol, independently of the proxy hop.
      Object.defineProperty(ctx.request, 'protocol', { value: base.protocol.slice(0, -1) });
      try {
        ctx.path = oauthPrefix + path;
        refuseNul(ctx.querystring);
        const route = admit(ctx, path, base.host);
        if (route) await withinRequest({ requestId, path }, () => answer(ctx, path, route));
      } catch (thrown) {
        const { status, message, retryAfter } = toApiError(thrown, log, requestId);
        if (retryAfter) ctx.set('Retry-After', String(Math.ceil(retryAfter)));
        const mayPass = status === 503 || status === 429;
        sendError(
          ctx,
          path,
          status,
          mayPass ? 'temporarily_unavailable' : status < 500 ? 'invalid_request' : 'server_error',
          message,
        );
      } finally {
        ctx.path = asked;
      }
    },
    async close() {
      stopKeys();
      await stopPurging();
      await limiter.close();
    },
  };
}

/** The route of the request, or undefined when it was refused. */
function admit(ctx: ParameterizedContext, path: string, host: string): Route | undefined {
  const route = routeOf(path);
  if (ctx.host !== host)
    sendError(
      ctx,
      path,
      421,
      'invalid_request',
      `This server answers for ${host}, not for ${ctx.host}.`,
    );
  else if (!route)
    sendError(
      ctx,
      path,
      404,
      'invalid_request',
      'There is no such address: see /.well-known/openid-configuration below the issuer.',
    );
  else if (!route.methods.includes(ctx.method)) {
    ctx.set('Allow', route.methods.join(', '));
    sendError(
      ctx,
      path,
      405,
      'invalid_request',
      'This address does not take this method: see the Allow header.',
    );
  } else return route;
  return undefined;
}

/**
 * Responds with an error from outside of oidc-provider: a page for browsers, the JSON of RFC 6749
 * for apps.
 */
function sendError(
  ctx: ParameterizedContext,
  path: string,
  status: number,
  error: string,
  description: string,
): void {
  const isForPeople = routeOf(path)?.kind === 'page' && ctx.accepts('json', 'html') === 'html';
  if (isForPeople) showRefusal(ctx, status, error, description);
  else sendOAuthError(ctx, status, error, description);
}

function mendTokenError(ctx: ParameterizedContext): void {
  const body = ctx.body as { error?: string; error_description?: string } | undefined;
  // RFC 7636 requires this code for any verifier that does not match; oidc-provider has another one
  // for a malformed verifier.
  if (body?.error === 'invalid_request' && body.error_description?.startsWith('code_verifier '))
    body.error = 'invalid_grant';
}
