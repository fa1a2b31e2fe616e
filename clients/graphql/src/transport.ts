/** Requests with a token, and their repetition. */
import { LanyardGraphQLError } from './errors.js';
import type { Operation, Reply } from './types.js';

/**
 * Returns an access token. `rejected` is a token that the server has just rejected: return another
 * one, or the same again if there is no other. `refreshingTokens` of `@lanyard/client` is one. A
 * request or stream throws what it throws, but repeats after an error whose `code` is
 * `no_response`: the token could not be refreshed because the server is away.
 */
export type TokenSource = (rejected?: string) => string | Promise<string>;

export interface Server {
  readonly baseUrl: string;
  readonly token: TokenSource;
  readonly fetch: typeof globalThis.fetch;
}

/** The token source threw an error that a repetition would not change. */
class NoToken extends Error {}

const accessTokenOf = async (token: TokenSource, rejected?: string): Promise<string> => {
  try {
    return await token(rejected);
  } catch (cause) {
    const { code } = (cause ?? {}) as { readonly code?: unknown };
    throw code === 'no_response' ? cause : new NoToken('', { cause });
  }
};

/** Sends an operation once, or again with a new token after 401. */
export async function post<V, D>(
  { baseUrl, token, fetch }: Server,
  path: string,
  { name, text }: Operation<V, D>,
  variables: V,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const body = JSON.stringify({ operationName: name, query: text, variables });
  const send = (accessToken: string) =>
    fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${accessToken}`,
        'content-type': 'application/json',
      },
      body,
      signal,
    });
  const accessToken = await accessTokenOf(token);
  const response = await send(accessToken);
  if (response.status !== 401) return response;
  const other = await accessTokenOf(token, accessToken);
  if (other === accessToken) return response;
  await response.body?.cancel();
  return send(other);
}

/** Too many requests, and the responses of a server or proxy that is temporarily unavailable. */
const transient = new Set([429, 502, 503, 504]);

/** A response that may be different after a pause. */
class Transient extends LanyardGraphQLError {}

/** Seconds of a Retry-After header, which has seconds or a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** The GraphQL response. @throws {LanyardGraphQLError} when it is none, or only temporary. */
export async function readReply(response: Response): Promise<Reply> {
  const { status, statusText, headers } = response;
  const text = await response.text();
  let reply: Reply = {};
  try {
    reply = JSON.parse(text);
  } catch {
    // A proxy responded with a page.
  }
  if (!reply.errors && reply.data === undefined) {
    const message = `The response was ${status} ${statusText}.`;
    reply = { errors: [{ message, extensions: { code: `HTTP_${status}` } }] };
  }
  if (transient.has(status)) {
    const retryAfter = readRetryAfter(headers.get('retry-after'));
    throw new Transient(reply.errors ?? [], reply.data, { retryAfter });
  }
  return reply;
}

/** Whether the same request may succeed later. Without a response it may. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof NoToken) return false;
  return !(error instanceof LanyardGraphQLError) || error instanceof Transient;
}

/**
 * Milliseconds until the next attempt.
 * @throws the error if a further attempt would fail too; for the signal, its reason.
 */
export function pauseBefore(
  error: unknown,
  failed: number,
  signal: AbortSignal | undefined,
  isRepeatable = isTemporary,
): number {
  signal?.throwIfAborted();
  if (!isRepeatable(error)) throw error instanceof NoToken ? error.cause : error;
  const { retryAfter = 0 } = error instanceof LanyardGraphQLError ? error : {};
  return pauseAfter(failed) + retryAfter * 1000;
}

const [minPauseMs, maxPauseMs] = [200, 10_000];

/** Repeats what fails for a temporary reason, with random pauses whose limit doubles. */
export async function retrying<T>(
  patience: number,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  for (let failed = 1; ; failed++) {
    try {
      return await attempt();
    } catch (error) {
      const wait = pauseBefore(error, failed, signal);
      if (performance.now() - started + wait > patience)
        throw error instanceof Transient ? error : noResponse(error);
      await sleep(wait, signal);
    }
  }
}

const noResponse = (cause: unknown): LanyardGraphQLError =>
  new LanyardGraphQLError(
    [{ message: 'The server did not respond.', extensions: { code: 'NO_RESPONSE' } }],
    undefined,
    { cause },
  );

/** Milliseconds, random so that clients that failed together spread out. */
const pauseAfter = (failed: number): number =>
  Math.random() * Math.min(maxPauseMs, minPauseMs * 2 ** (failed - 1));

/** @throws the reason of the signal when it aborts. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
