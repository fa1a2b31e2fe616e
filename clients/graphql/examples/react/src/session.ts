/**
 * Sign-in as a public app: authorization code with PKCE.
 *
 * All tokens are in memory only, where no other script finds them. After a reload the page
 * authorizes again, which needs no interaction while the person is signed in to Lanyard.
 */
import * as oauth from 'oauth4webapi';
import { baseUrl, clientId, redirectUri } from './settings.js';

/** There is no token, and only a new sign-in brings one. */
export class SignedOut extends Error {}

interface Tokens {
  readonly access: string;
  readonly refresh: string | undefined;
  /** Milliseconds of the page's clock, 30 seconds before the access token expires. */
  readonly staleAt: number;
}

const client: oauth.Client = { client_id: clientId };
const options = { [oauth.allowInsecureRequests]: baseUrl.startsWith('http:') };
/** Marks that the page was signed in before a reload. */
const mark = 'signed-in';
let tokens: Tokens | undefined;
let refreshing: Promise<Tokens> | undefined;
let discovered: Promise<oauth.AuthorizationServer> | undefined;

function discover(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(`${baseUrl}/auth/v1/oauth`);
  discovered ??= oauth
    .discoveryRequest(issuer, options)
    .then((response) => oauth.processDiscoveryResponse(issuer, response))
    .catch((error) => {
      discovered = undefined;
      throw error;
    });
  return discovered;
}

/**
 * Continues with the response of the authorization server if the address has one, or with the
 * session before a reload. Call it once, before the first render.
 * @returns Whether the person is signed in.
 * @throws {oauth.AuthorizationResponseError} and others when the sign-in failed.
 */
export async function restore(): Promise<boolean> {
  const response = new URL(location.href);
  const state = response.searchParams.get('state') ?? '';
  const verifier = sessionStorage.getItem(`verifier:${state}`);
  if (verifier === null) {
    if (!sessionStorage.getItem(mark)) return false;
    sessionStorage.removeItem(mark);
    return signIn();
  }
  sessionStorage.removeItem(`verifier:${state}`);
  history.replaceState(null, '', '/');
  const server = await discover();
  const code = oauth.validateAuthResponse(server, client, response, state);
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    code,
    redirectUri,
    verifier,
    options,
  );
  keep(await oauth.processAuthorizationCodeResponse(server, client, answer));
  sessionStorage.setItem(mark, 'yes');
  return true;
}

/** Leaves the page for the authorization server, and never returns. */
export async function signIn(): Promise<never> {
  const { authorization_endpoint = '' } = await discover();
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  sessionStorage.setItem(`verifier:${state}`, verifier);
  const request = new URL(authorization_endpoint);
  request.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'profile email',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  location.assign(request);
  return new Promise(() => {});
}

/** Revokes the tokens. The person stays signed in to Lanyard. */
export async function signOut(): Promise<void> {
  const token = tokens?.refresh;
  tokens = undefined;
  sessionStorage.removeItem(mark);
  if (token) await oauth.revocationRequest(await discover(), client, oauth.None(), token, options);
}

/**
 * The access token, refreshed if necessary. Concurrent calls share one refresh, because a second
 * use of a refresh token ends the sign-in.
 * @param rejected A token that the server rejected.
 * @throws {SignedOut}
 */
export async function accessToken(rejected?: string): Promise<string> {
  if (tokens && tokens.access !== rejected && Date.now() < tokens.staleAt) return tokens.access;
  refreshing ??= refresh().finally(() => {
    refreshing = undefined;
  });
  return (await refreshing).access;
}

async function refresh(): Promise<Tokens> {
  const token = tokens?.refresh;
  if (!token) throw new SignedOut();
  try {
    const server = await discover();
    const sent = oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, options);
    return keep(await oauth.processRefreshTokenResponse(server, client, await sent));
  } catch (cause) {
    // Only a response of the token endpoint ends the sign-in. Without one, the client tries again.
    if (!(cause instanceof oauth.ResponseBodyError) || cause.status >= 500)
      throw Object.assign(new Error('No token.', { cause }), { code: 'no_response' });
    tokens = undefined;
    throw new SignedOut();
  }
}

function keep({ access_token, refresh_token, expires_in = 0 }: oauth.TokenEndpointResponse) {
  tokens = {
    access: access_token,
    refresh: refresh_token,
    staleAt: Date.now() + (expires_in - 30) * 1000,
  };
  return tokens;
}
