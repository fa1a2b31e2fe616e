/**
 * Access tokens that refresh themselves. A refresh token works once, so there is one refresh at a
 * time, and what it brings is stored before it is used.
 */
import { LanyardError } from './errors.js';
import { retrying } from './retry.js';
import { defaultLimits, tryOnce } from './transport.js';

/**
 * Gives an access token. `refused` is one that the server has just refused: then another, or the
 * same again when there is no other.
 */
export type TokenSource = (refused?: string) => string | Promise<string>;

/** As the token endpoint answers, so that the answer to the sign-in can be stored as it is. */
export interface Tokens {
  readonly access_token?: string;
  readonly refresh_token?: string;
  /**
   * When the access token ends, in milliseconds since 1970. Without it, it is used until the server
   * refuses it.
   */
  readonly expires_at?: number;
}

export interface RefreshOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  /** Of a confidential app that authenticates by HTTP Basic. */
  readonly clientSecret?: string;
  /** Reads the tokens from where `save` puts them. */
  readonly load: () => Tokens | Promise<Tokens>;
  /** Stores the tokens for good: once it returns, a crash must not lose them. */
  readonly save: (tokens: Tokens) => void | Promise<void>;
  /**
   * Runs one at a time what it is given, across all processes or tabs that share the store; needed
   * as soon as there are two. In a browser:
   * `(work) => navigator.locks.request('lanyard-tokens', work)`.
   */
  readonly exclusive?: (work: () => Promise<Tokens>) => Promise<Tokens>;
  readonly fetch?: typeof globalThis.fetch;
}

/** Milliseconds before its end from which a token is not used any more. */
const margin = 30_000;

/**
 * Access tokens from a store, refreshed when they end or are refused.
 * @throws {LanyardError} from each use: `invalid_grant` when the sign-in was ended (send the person
 * through sign-in again), `unauthenticated` when there is
 * nothing to refresh with.
 */
export function refreshingTokens(options: RefreshOptions): TokenSource {
  const { load, save, exclusive = (work) => work() } = options;
  /**
   * The current tokens, and those last read from the store: if the store has others, another
   * process has refreshed.
   */
  let tokens: Tokens | undefined;
  let stored: Tokens | undefined;
  let refreshing: Promise<Tokens> | undefined;

  const look = async (): Promise<Tokens> => {
    const found = await load();
    if (tokens === undefined || found.refresh_token !== stored?.refresh_token) tokens = found;
    stored = found;
    return tokens;
  };
  const isStored = () => tokens?.refresh_token === stored?.refresh_token;
  const renew = async (refused: string | undefined): Promise<Tokens> => {
    tokens = await look();
    if (!isUsable(tokens, refused)) tokens = await refresh(tokens, options);
    if (!isStored()) await save(tokens);
    stored = tokens;
    return tokens;
  };
  return async (refused) => {
    let current = tokens ?? (await look());
    // What a failed save left unstored is saved before it is used again.
    if (!isUsable(current, refused) || !isStored()) {
      refreshing ??= exclusive(() => renew(refused)).finally(() => {
        refreshing = undefined;
      });
      current = await refreshing;
    }
    return current.access_token ?? '';
  };
}

const isUsable = (
  { access_token, expires_at = Number.POSITIVE_INFINITY }: Tokens,
  refused: string | undefined,
): boolean =>
  access_token !== undefined && access_token !== refused && Date.now() < expires_at - margin;

async function refresh(
  { refresh_token }: Tokens,
  { baseUrl, clientId, clientSecret, fetch = globalThis.fetch }: RefreshOptions,
): Promise<Tokens> {
  if (refresh_token === undefined) {
    throw new LanyardError({
      status: 401,
      code: 'unauthenticated',
      message: 'The access token has ended, and there is no refresh token.',
    });
  }
  const form = { grant_type: 'refresh_token', refresh_token };
  const init: RequestInit = clientSecret
    ? { body: new URLSearchParams(form), headers: { authorization: basic(clientId, clientSecret) } }
    : { body: new URLSearchParams({ ...form, client_id: clientId }) };
  const { timeout, patience } = defaultLimits;
  // When an answer is lost, the token may be used up, and a second try ends the sign-in. Without
  // the answer it is lost anyway.
  const send = () =>
    tryOnce(fetch, `${baseUrl}/auth/v1/oauth/token`, { ...init, method: 'POST' }, timeout);
  const response = await retrying(send, { patience });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    const {
      error = `http_${response.status}`,
      error_description: message = 'The token could not be refreshed.',
    } = body;
    throw new LanyardError({
      status: response.status,
      code: error,
      message,
      requestId: response.headers.get('x-request-id') ?? undefined,
    });
  }
  const { access_token, expires_in, refresh_token: next = refresh_token } = body;
  return { access_token, refresh_token: next, expires_at: Date.now() + expires_in * 1000 };
}

const basic = (id: string, secret: string): string =>
  `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`;
