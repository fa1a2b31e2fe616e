/**
 * Sign-in through Lanyard's own OAuth: authorization code with PKCE, as a public app.
 *
 * All tokens live in memory alone, the refresh token too: in a store of the browser a script that shouldn't run could take it, and a duplicated tab
 * would use it a second time, which ends the sign-in. A reload authorizes anew by redirect, which asks nothing while the person is signed in to the
 * portal. What a page leaves behind, it revokes as it goes.
 */
import { signal } from '@preact/signals';
import * as oauth from 'oauth4webapi';

/** `ended` says why, in a sentence. */
export type Session = { readonly state: 'starting' } | { readonly state: 'open' } | { readonly state: 'ended'; readonly why: string };

export const session = signal<Session>({ state: 'starting' });

/** Thrown where there is no token to be had; {@link session} has ended then. */
export class SessionEnded extends Error {}

interface Tokens {
  readonly access: string;
  readonly refresh: string | undefined;
  /** Milliseconds of the clock of the page, after which the access token is not used any more. */
  readonly staleAt: number;
}

/** Milliseconds that a token must be good for yet. */
const margin = 30_000;

const page = `${location.origin}/dashboard`;
const options = { [oauth.allowInsecureRequests]: location.protocol === 'http:' };
let client: oauth.Client = { client_id: '' };
let server: oauth.AuthorizationServer | undefined;
let tokens: Tokens | undefined;
let refreshing: Promise<Tokens> | undefined;

async function discover(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL('/auth/v1/oauth', location.origin);
  server ??= await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
  return server;
}

/**
 * Opens the session: goes on with the answer that the address holds, or asks for one.
 * @param arrive Takes the query that the address had before, once it is known.
 */
export async function open(clientId: string, arrive: (query: string) => void): Promise<void> {
  client = { client_id: clientId };
  addEventListener('pagehide', revoke);
  new BroadcastChannel('lanyard signed out').addEventListener('message', signOut);
  // A page that comes back out of the browser's memory has no tokens any more.
  addEventListener('pageshow', ({ persisted }) => persisted && void authorize());
  const answer = new URL(location.href);
  const state = answer.searchParams.get('state') ?? '';
  const kept = sessionStorage.getItem(keyOf(state));
  if (!kept) return authorize();
  sessionStorage.removeItem(keyOf(state));
  const { verifier, back } = JSON.parse(kept) as Attempt;
  arrive(back);
  await redeem(answer, state, verifier);
}

/** What a redirect comes back to. */
interface Attempt {
  readonly verifier: string;
  /** The query of the address, which says what the page showed. */
  readonly back: string;
}

const keyOf = (state: string): string => `lanyard:sign-in:${state}`;

/** Leaves for the authorization server, and comes back to what the page shows. */
export async function authorize(): Promise<void> {
  const { authorization_endpoint = '' } = await discover();
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const back = new URL(location.href);
  for (const name of ['state', 'code', 'iss', 'error', 'error_description']) back.searchParams.delete(name);
  sessionStorage.setItem(keyOf(state), JSON.stringify({ verifier, back: back.search } satisfies Attempt));
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
  const response = await oauth.authorizationCodeGrantRequest(issuer, client, oauth.None(), callback, page, verifier, options);
  tokens = keep(await oauth.processAuthorizationCodeResponse(issuer, client, response));
  session.value = { state: 'open' };
}

const keep = ({ access_token, refresh_token, expires_in = 0 }: oauth.TokenEndpointResponse): Tokens => ({
  access: access_token,
  refresh: refresh_token,
  staleAt: Date.now() + expires_in * 1000 - margin,
});

/**
 * A token for the next request. However many ask, one refresh is under way at most: a refresh token that is used twice ends the sign-in.
 * @param refused A token that was refused, and so is not given again.
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
  const response = await oauth.refreshTokenGrantRequest(issuer, client, oauth.None(), tokens.refresh, options);
  try {
    tokens = keep(await oauth.processRefreshTokenResponse(issuer, client, response));
    return tokens;
  } catch (error) {
    // What is not final, such as a server that restarts, may be tried again.
    if (error instanceof oauth.ResponseBodyError && error.status < 500) throw end(error);
    throw error;
  }
}

/** Forgets the tokens, and says why the session ended. */
export function end(error: unknown): SessionEnded {
  tokens = undefined;
  const isRefusal = error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied';
  const why = isRefusal ? 'You cancelled the sign-in.' : 'Your sign-in has ended. Sign in again to go on where you were.';
  session.value = { state: 'ended', why };
  return new SessionEnded(why);
}

/** Another tab of the browser came to the sign-in page: nobody is signed in any more (public/signed-out.js). */
function signOut(): void {
  if (session.value.state !== 'open') return;
  revoke();
  session.value = { state: 'ended', why: 'You signed out in another tab. Sign in again to go on where you were.' };
}

/** Ends the sign-in of this page, with all its tokens. A beacon goes out even while the page is being closed. */
function revoke(): void {
  if (tokens?.refresh && server?.revocation_endpoint) {
    navigator.sendBeacon(server.revocation_endpoint, new URLSearchParams({ client_id: client.client_id, token: tokens.refresh }));
  }
  tokens = undefined;
}
