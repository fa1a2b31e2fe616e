/**
 * Sign-in through Lanyard's own OAuth: authorization code with PKCE, as a public app.
 *
 * All tokens, including the refresh token, are in memory only: a malicious script could steal them
 * from browser storage, and a duplicated tab would reuse the refresh token, which ends the sign-in.
 * A reload authorizes again by redirect, without interaction while the portal session lasts. The
 * page revokes its tokens when it is closed.
 */
import { signal } from '@preact/signals';
import * as oauth from 'oauth4webapi';
import { t } from './language.js';

/** `ended` has the reason, as a sentence. */
export type Session =
  | { readonly state: 'starting' }
  | { readonly state: 'open' }
  | { readonly state: 'ended'; readonly why: string };

export const session = signal<Session>({ state: 'starting' });

/** Thrown when no token is available; {@link session} has ended then. */
export class SessionEnded extends Error {}

interface Tokens {
  readonly access: string;
  readonly refresh: string | undefined;
  /** Milliseconds of the page's clock after which the access token is no longer used. */
  readonly staleAt: number;
}

/** Minimum remaining lifetime of a token in milliseconds. */
const margin = 30_000;

/** This page, which is the redirect URI. */
const page = location.origin + location.pathname;
const options = { [oauth.allowInsecureRequests]: location.protocol === 'http:' };
let client: oauth.Client = { client_id: '' };
let server: oauth.AuthorizationServer | undefined;
let tokens: Tokens | undefined;
let refreshing: Promise<Tokens> | undefined;

async function discover(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL('/auth/v1/oauth', location.origin);
  server ??= await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, options),
  );
  return server;
}

/**
 * Opens the session: continues with the authorization response in the address, or requests one.
 * @param origin The origin of BASE_URL, the only one for sign-in: a page on another origin
 * redirects there.
 * @param arrive Called with the query and the fragment that the address had before.
 */
export async function open(
  clientId: string,
  origin: string,
  arrive: (back: string) => void,
): Promise<void> {
  if (location.origin !== origin)
    return location.replace(origin + location.pathname + location.search);
  // A page from the back/forward cache has no tokens any more.
  addEventListener('pageshow', ({ persisted }) => persisted && void authorize());
  if (!(await resume(clientId, arrive))) await authorize();
}

/** Sets the app that the page signs in to. */
export function use(clientId: string): void {
  client = { client_id: clientId };
}

/**
 * Continues with the authorization response in the address. A response that this tab did not
 * request is ignored.
 * @param arrive As for {@link open}.
 * @returns Whether there was one.
 */
export async function resume(clientId: string, arrive: (back: string) => void): Promise<boolean> {
  use(clientId);
  addEventListener('pagehide', revoke);
  new BroadcastChannel('lanyard signed out').addEventListener('message', signOut);
  const answer = new URL(location.href);
  const state = answer.searchParams.get('state') ?? '';
  const kept = sessionStorage.getItem(keyOf(state));
  if (!kept) return false;
  sessionStorage.removeItem(keyOf(state));
  const { verifier, back } = JSON.parse(kept) as Attempt;
  arrive(back);
  await redeem(answer, state, verifier);
  return true;
}

/** The state of an authorization request. */
interface Attempt {
  readonly verifier: string;
  /** The query and the fragment of the address, which define the view. */
  readonly back: string;
}

const keyOf = (state: string): string => `lanyard:sign-in:${state}`;

/** Redirects to the authorization server, and returns to the same view. */
export async function authorize(): Promise<void> {
  const { authorization_endpoint = '' } = await discover();
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const back = new URL(location.href);
  for (const name of ['state', 'code', 'iss', 'error', 'error_description'])
    back.searchParams.delete(name);
  sessionStorage.setItem(
    keyOf(state),
    JSON.stringify({ verifier, back: back.search + back.hash } satisfies Attempt),
  );
  const request = new URL(authorization_endpoint);
  request.search = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    redirect_uri: page,
    scope: 'profile email',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  location.replace(request);
}

async function redeem(answer: URL, state: string, verifier: string): Promise<void> {
  const issuer = await discover();
  const callback = oauth.validateAuthResponse(issuer, client, answer, state);
  const response = await oauth.authorizationCodeGrantRequest(
    issuer,
    client,
    oauth.None(),
    callback,
    page,
    verifier,
    options,
  );
  tokens = keep(await oauth.processAuthorizationCodeResponse(issuer, client, response));
  session.value = { state: 'open' };
}

const keep = ({
  access_token,
  refresh_token,
  expires_in = 0,
}: oauth.TokenEndpointResponse): Tokens => ({
  access: access_token,
  refresh: refresh_token,
  staleAt: Date.now() + expires_in * 1000 - margin,
});

/**
 * A token for the next request. Concurrent calls share one refresh, because a refresh token that is
 * used twice ends the sign-in.
 * @param refused A token that was refused, and is not returned again.
 * @throws {SessionEnded}
 */
export async function accessToken(refused?: string): Promise<string> {
  if (tokens && tokens.access !== refused && Date.now() < tokens.staleAt) return tokens.access;
  refreshing ??= refresh().finally(() => {
    refreshing = undefined;
  });
  return (await refreshing).access;
}

async function refresh(): Promise<Tokens> {
  if (!tokens?.refresh) throw end(new Error('There is no refresh token.'));
  const issuer = await discover();
  const response = await oauth.refreshTokenGrantRequest(
    issuer,
    client,
    oauth.None(),
    tokens.refresh,
    options,
  );
  try {
    tokens = keep(await oauth.processRefreshTokenResponse(issuer, client, response));
    return tokens;
  } catch (error) {
    // Temporary errors, such as a restart of the server, can be retried.
    if (error instanceof oauth.ResponseBodyError && error.status < 500) throw end(error);
    throw error;
  }
}

/** Drops the tokens, and records why the session ended. */
export function end(error: unknown): SessionEnded {
  tokens = undefined;
  const isRefusal =
    error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied';
  const why = isRefusal ? t.session.cancelled : t.session.ended;
  session.value = { state: 'ended', why };
  return new SessionEnded(why);
}

/** Another tab signed out (public/signed-out.js). */
function signOut(): void {
  if (session.value.state !== 'open') return;
  revoke();
  session.value = {
    state: 'ended',
    why: t.session.elsewhere,
  };
}

/**
 * Ends the sign-in of this page with all its tokens. A beacon is sent even while the page closes.
 */
function revoke(): void {
  if (tokens?.refresh && server?.revocation_endpoint) {
    navigator.sendBeacon(
      server.revocation_endpoint,
      new URLSearchParams({ client_id: client.client_id, token: tokens.refresh }),
    );
  }
  tokens = undefined;
}
