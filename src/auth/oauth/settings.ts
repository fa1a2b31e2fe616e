/**
 * Configuration of oidc-provider: the choices of docs and decisions, with reasons where they are
 * not obvious.
 */
import { type Configuration, errors } from 'oidc-provider';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import type { KeyRing } from '../keys.js';
import { type Authenticator, audienceOf, issuerOf } from '../principal.js';
import { accessTokenLifetime } from '../tokens.js';
import { createAdapter } from './adapter.js';
import { isOwnOrigin } from './clients.js';
import { grantFor } from './grants.js';
import { confirmSignOut, showProblem, showSignedOut } from './pages.js';
import { identityScopes, userClaims } from './userinfo.js';

const minute = 60;
const day = 86_400;

/** In seconds. */
const lifetimes = {
  code: minute,
  idToken: 10 * minute,
  interaction: 30 * minute,
  /** The maximum lifetime of a web session, which bounds each of these. */
  session: 7 * day,
  refreshIdle: 30 * day,
  /** The total lifetime of the refresh tokens of a sign-in, and so of its grant. */
  signIn: 90 * day,
};

/** The paths of routes.ts. */
const paths = {
  authorization: '/authorize',
  token: '/token',
  jwks: '/jwks',
  revocation: '/revoke',
  introspection: '/introspect',
  end_session: '/logout',
};

export function settingsFor(
  config: Config,
  db: Database,
  keys: KeyRing,
  authenticator: Authenticator,
  onBeginning: () => Promise<void>,
): Configuration {
  const audience = audienceOf(config);
  const isSecure = config.BASE_URL.startsWith('https:');
  const scope = identityScopes.join(' ');
  return {
    adapter: createAdapter(db, authenticator, onBeginning),
    // The first key of an algorithm signs, and KeyRing.all() starts with the signing keys.
    jwks: {
      keys: keys.all().map(({ privateJwk }) => privateJwk) as NonNullable<
        Configuration['jwks']
      >['keys'],
    },
    routes: paths,
    scopes: [...identityScopes],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'RS256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken: true,
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // An app that synchronizes at night must outlive the browser's sign-in.
    expiresWithSession: () => false,
    clientBasedCORS: (_ctx, origin, client) => isOwnOrigin(client, origin),
    discovery: { userinfo_endpoint: `${issuerOf(config)}/userinfo` },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: confirmSignOut,
        postLogoutSuccessSource: showSignedOut,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        // Otherwise `openid` would make the access token opaque, for oidc-provider's userinfo
        // endpoint, which is not used.
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== audience)
            throw new errors.InvalidTarget(`the only resource here is ${audience}`);
          return {
            audience,
            scope,
            accessTokenFormat: 'jwt',
            accessTokenTTL: accessTokenLifetime,
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
    extraTokenClaims: (_ctx, token) =>
      'grantId' in token ? { grant_id: token.grantId } : undefined,
    findAccount: async (_ctx, userId) => {
      const claims = await userClaims(db, userId);
      return claims && { accountId: userId, claims: () => claims };
    },
    loadExistingGrant: (ctx) => grantFor(ctx, audience),
    interactions: { url: (_ctx, { uid }) => `/portal/interactions/${uid}` },
    renderError: showProblem,
    ttl: {
      AccessToken: accessTokenLifetime,
      AuthorizationCode: lifetimes.code,
      IdToken: lifetimes.idToken,
      Interaction: lifetimes.interaction,
      Session: lifetimes.session,
      Grant: lifetimes.signIn,
      RefreshToken: (_ctx, token) =>
        Math.max(1, Math.min(lifetimes.refreshIdle, lifetimes.signIn - token.totalLifetime())),
    },
    cookies: {
      keys: keys.cookieKeys(),
      // Browsers accept the prefixes over https only; a development server on plain http omits
      // them. `__Host-` requires the path /.
      names: {
        session: `${isSecure ? '__Host-' : ''}lanyard_oauth`,
        interaction: `${isSecure ? '__Secure-' : ''}lanyard_interaction`,
        resume: `${isSecure ? '__Secure-' : ''}lanyard_resume`,
      },
      long: { httpOnly: true, sameSite: 'lax', secure: isSecure },
      short: { httpOnly: true, sameSite: 'lax', secure: isSecure },
    },
  };
}
