/** Repeats what may be repeated, with growing pauses, for as long as it was told to be patient. */
import { LanyardError } from './errors.js';

/** Milliseconds: the first pause at the most, and the longest at the most. */
const [shortest, longest] = [200, 10_000];

/** Too many requests, and what a server or something in front of it answers while it is away. */
const transient = new Set([429, 502, 503, 504]);

export interface Patience {
  /** Milliseconds from the first try until no further one begins. */
  readonly patience: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Milliseconds to wait before a try, of which `failed` have failed: random, so that clients that
 * failed together don't come back together.
 */
export function pauseAfter(failed: number, retryAfter: number, random = Math.random()): number {
  return retryAfter + random * Math.min(longest, shortest * 2 ** (failed - 1));
}

/** Milliseconds of a Retry-After header: seconds, or a date. 0 when there is none. */
export function readRetryAfter(header: string | null): number {
  if (header === null) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Math.max(0, seconds || 0);
}

/**
 * Calls `send` until it has an answer that isn't about a passing trouble. The last answer is given
 * back whatever it says.
 * @throws {LanyardError} `no_response` when the last try had no answer; anything else that `send`
 * throws, at once.
 */
export async function retrying(
  send: () => Promise<Response>,
  { patience, signal }: Patience,
): Promise<Response> {
  const started = performance.now();
  for (let failed = 1; ; failed++) {
    const outcome = await send().catch((error: unknown) => {
      if (error instanceof LanyardError && error.code === 'no_response') return error;
      throw error;
    });
    const isAnswer = !(outcome instanceof LanyardError);
    if (isAnswer && !transient.has(outcome.status)) return outcome;
    const pause = pauseAfter(
      failed,
      isAnswer ? readRetryAfter(outcome.headers.get('retry-after')) : 0,
    );
    if (performance.now() - started + pause > patience) {
      if (isAnswer) return outcome;
      throw outcome;
    }
    await sleep(pause, signal);
  }
}

/** @throws the reason of the signal, as soon as it aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
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
