/** How a request goes out: once with a time limit, with a token, and as often as it takes. */
import { LanyardError } from './errors.js';
import { retrying } from './retry.js';
import type { TokenSource } from './tokens.js';

export interface Limits {
  /** Milliseconds that one try may take, the whole body included. */
  readonly timeout: number;
  /** Milliseconds from the first try until no further one begins. */
  readonly patience: number;
}

export const defaultLimits: Limits = { timeout: 30_000, patience: 60_000 };

type Fetch = typeof globalThis.fetch;

/**
 * One try, body and all: a connection that breaks in the middle of a body is a try that failed.
 * @throws {LanyardError} `no_response`; the reason of the signal, when that is what ended it.
 */
export async function tryOnce(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  timeout: number,
): Promise<Response> {
  const limit = AbortSignal.timeout(timeout);
  const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
  try {
    const response = await fetch(url, { ...init, signal });
    const { status, statusText, headers } = response;
    return new Response((await response.text()) || null, { status, statusText, headers });
  } catch (cause) {
    init.signal?.throwIfAborted();
    const { origin, pathname } = new URL(url);
    throw new LanyardError({
      status: 0,
      code: 'no_response',
      message: `No answer from ${origin}${pathname}.`,
      cause,
    });
  }
}

/**
 * A fetch that brings a token and repeats itself. Every request of the API may be repeated: a
 * create has an Idempotency-Key, and all others say how things shall be, not how they shall change.
 */
export function createFetch(
  token: TokenSource,
  fetch: Fetch,
  { timeout, patience }: Limits,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { url, method, signal } = request;
    const headers = new Headers(request.headers);
    // Read once: an idempotent retry is one of the same bytes.
    const body = (await request.text()) || null;
    if (method === 'POST' && !headers.has('idempotency-key'))
      headers.set('idempotency-key', crypto.randomUUID());
    const send = (accessToken: string): Promise<Response> => {
      headers.set('authorization', `Bearer ${accessToken}`);
      return tryOnce(fetch, url, { method, headers, body, signal }, timeout);
    };
    const sendAuthorized = async (): Promise<Response> => {
      const accessToken = await unlessAborted(token(), signal);
      const response = await send(accessToken);
      if (response.status !== 401) return response;
      const other = await unlessAborted(token(accessToken), signal);
      return other === accessToken ? response : send(other);
    };
    return retrying(sendAuthorized, { patience, signal });
  };
}

/** Work that others may be waiting for too: it goes on when this caller gives up. */
async function unlessAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
