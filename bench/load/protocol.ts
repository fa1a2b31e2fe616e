/** What the benchmark and the process that makes its load tell each other. */

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** `{uuid}` in a value becomes a new one at each sending. */
  readonly headers: Readonly<Record<string, string>>;
  /** `{refresh_token}` becomes the one that the same lane got last. */
  readonly body?: string;
}

export interface Load {
  readonly origins: readonly string[];
  readonly requests: readonly Request[];
  /** Which request is the first; the others follow, round and round. */
  readonly from: number;
  readonly milliseconds: number;
  /** How many requests are under way at once; with a rate, at the most. */
  readonly lanes: number;
  /**
   * Requests a second, sent on a fixed schedule whether or not earlier ones were answered. Left
   * out: each lane sends as soon as it is answered.
   */
  readonly rate?: number;
  /** Milliseconds at the beginning in which requests are sent that don't count. */
  readonly leadIn?: number;
  /** First refresh token of each lane. */
  readonly refreshTokens?: readonly string[];
}

export interface Outcome {
  readonly answered: number;
  /** Other than 2xx, or broken off; in the lead-in, too. */
  readonly failed: number;
  readonly firstFailure?: string | undefined;
  /** From the start to the last answer. */
  readonly milliseconds: number;
  /** Milliseconds from when a request was meant to go out to the end of its answer, in order. */
  readonly latencies: readonly number[];
  /** Milliseconds by which requests went out later than meant, in order; part of the latencies. */
  readonly lateness: readonly number[];
  /** Where the next load of the same requests goes on. */
  readonly next: number;
  /** Of each lane, for the next load. */
  readonly refreshTokens: readonly string[];
}

/** When a thread is to be told that requests are due. */
export interface Ticks {
  /** Milliseconds of the clock that all threads share (`process.hrtime`). */
  readonly started: number;
  /** Milliseconds. */
  readonly interval: number;
  readonly count: number;
}
