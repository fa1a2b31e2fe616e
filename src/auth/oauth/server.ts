/** The OAuth 2.1 authorization server: oidc-provider, with what stands before and behind it. */
import cors from '@koa/cors';
import type { ParameterizedContext } from 'koa';
import mount from 'koa-mount';
import { toApiError } from '../../edge/failure.js';
import { refuseNul } from '../../edge/form.js';
import { headersOf } from '../../portal/security.js';
import { Authenticator } from '../principal.js';
import { mendForm } from './form.js';
import { createInteractions, type Interactions } from './interactions.js';
import { createProvider, type OAuthDeps } from './provider.js';
import { startPurging } from './purge.js';
import { refuse } from './refuse.js';
import { withinRequest } from './request.js';
import { oauthPrefix, type Route, routeOf, withoutPrefix } from './routes.js';
import { endWebSession } from './sessions.js';
import { answerUserinfo, requestedScope } from './userinfo.js';

export interface OAuthServer {
  readonly interactions: Interactions;
  /** Answers a request for one of the paths of `isOAuthPath`. */
  handle(ctx: ParameterizedContext, requestId: string): Promise<void>;
  close(): Promise<void>;
}

type Handler = (ctx: ParameterizedContext, next: () => Promise<void>) => Promise<void>;

/** Tokens go in a header, never in a cookie: any page may ask with a token that it has. */
const openCors = cors({ origin: '*', allowMethods: 'GET,POST', exposeHeaders: 'WWW-Authenticate', maxAge: 3600 }) as unknown as Handler;

/** Seconds that clients may keep the JWKS and the discovery document; less than the overlap of a key rotation. */
export const metadataMaxAge = 300;

export async function createOAuthServer(deps: OAuthDeps): Promise<OAuthServer> {
  const { config, db, keys, log } = deps;
  const base = new URL(config.BASE_URL);
  const authenticator = new Authenticator(config, keys, db);
  const build = () => {
    const provider = createProvider(deps, authenticator);
    return { provider, run: mount(oauthPrefix, provider) as unknown as Handler };
  };
  // A provider's keys are fixed: a change of keys takes a new one. Requests under way end on the old.
  let current = build();
  keys.onChange(() => {
    current = build();
  });
  const stopKeys = keys.follow((err) => log.error({ err }, 'looking for new signing keys failed'));
  const stopPurging = startPurging(db, log);

  async function answer(ctx: ParameterizedContext, path: string, { kind }: Route): Promise<void> {
    if (path === '/userinfo') return openCors(ctx, () => answerUserinfo(ctx, authenticator));
    if (path === '/authorize' && !Array.isArray(ctx.query.scope)) ctx.query = { ...ctx.query, scope: requestedScope(ctx.query.scope) };
    if (kind === 'page') {
      // A form that oidc-provider makes the browser post may go to an app.
      ctx.set(headersOf(true));
    } else {
      // Apps get JSON, also those that ask for whatever there is.
      ctx.req.headers.accept = 'application/json';
      ctx.set('Cache-Control', kind === 'metadata' ? `public, max-age=${metadataMaxAge}` : 'no-store');
    }
    if (kind === 'form' && ctx.method === 'POST') await mendForm(ctx, path);
    await current.run(ctx, async () => {});
    if (path === '/token') mendTokenError(ctx);
    if (path === '/logout/confirm' && ctx.oidc?.session?.destroyed) await endWebSession(ctx, config, db);
  }

  return {
    interactions: createInteractions(config, db, () => current.provider),
    async handle(ctx, requestId) {
      const asked = ctx.path;
      const path = withoutPrefix(asked);
      // What pages look for (see portal/page.tsx), with nobody signed in.
      ctx.state = { requestId, session: undefined, csrf: '' };
      // The base URL says how we are reached, whatever hop brought the request here.
      Object.defineProperty(ctx.request, 'protocol', { value: base.protocol.slice(0, -1) });
      try {
        ctx.path = oauthPrefix + path;
        refuseNul(ctx.querystring);
        const route = admit(ctx, path, base.host);
        if (route) await withinRequest({ requestId, path }, () => answer(ctx, path, route));
      } catch (thrown) {
        const { status, message } = toApiError(thrown, log, requestId);
        refuse(ctx, status, status === 503 ? 'temporarily_unavailable' : status < 500 ? 'invalid_request' : 'server_error', message);
      } finally {
        ctx.path = asked;
      }
    },
    async close() {
      stopKeys();
      await stopPurging();
    },
  };
}

/** The route of the request, or undefined when it was refused. */
function admit(ctx: ParameterizedContext, path: string, host: string): Route | undefined {
  const route = routeOf(path);
  if (ctx.host !== host) refuse(ctx, 421, 'invalid_request', `This server answers for ${host}, not for ${ctx.host}.`);
  else if (!route) refuse(ctx, 404, 'invalid_request', 'There is no such address: see /.well-known/openid-configuration below the issuer.');
  else if (!route.methods.includes(ctx.method)) {
    ctx.set('Allow', route.methods.join(', '));
    refuse(ctx, 405, 'invalid_request', 'This address does not take this method: see the Allow header.');
  } else return route;
  return undefined;
}

function mendTokenError(ctx: ParameterizedContext): void {
  const body = ctx.body as { error?: string; error_description?: string } | undefined;
  // RFC 7636 has this for any verifier that doesn't fit; oidc-provider sets a malformed one apart.
  if (body?.error === 'invalid_request' && body.error_description?.startsWith('code_verifier ')) body.error = 'invalid_grant';
}
