/** The client: typed requests, pages, and streams. */
import { LanyardGraphQLError } from './errors.js';
import { type StreamEvent, type StreamOptions, streamEvents } from './stream.js';
import { post, readReply, retrying, type TokenSource } from './transport.js';
import type { Operation, Result } from './types.js';

export interface LanyardGraphQLOptions {
  /** The base URL of the API, without a slash at the end. */
  readonly baseUrl: string;
  /** Returns an access token: your own function, or `refreshingTokens` of `@lanyard/client`. */
  readonly token: TokenSource;
  /** The timeout of one attempt in milliseconds. Default: 30,000. */
  readonly timeout?: number;
  /** Milliseconds after the first attempt in which a retry may start. Default: 60,000. */
  readonly patience?: number;
  /** Replaces the `fetch` of the platform. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** For a mutation: the key of a retry that also survives a crash. Default: a random key. */
  readonly idempotencyKey?: string;
}

export interface LanyardGraphQL {
  /**
   * Runs one operation. It is repeated after a lost response, 429, 502, 503 and 504, and a mutation
   * takes effect once.
   * @throws {LanyardGraphQLError} when the response has errors, or there is no response.
   */
  readonly run: <V, D>(
    operation: Operation<V, D>,
    variables: V,
    options?: RequestOptions,
  ) => Promise<Result<D>>;
  /**
   * Runs an operation page by page, with the cursor in the variable `after`.
   * @param next Returns the cursor of the next page; null or undefined on the last page.
   */
  readonly pages: <V extends { readonly after?: string | null }, D>(
    operation: Operation<V, D>,
    variables: V,
    next: (data: D) => string | null | undefined,
    options?: RequestOptions,
  ) => AsyncGenerator<D, void>;
  /**
   * Follows a subscription. After an interruption it continues from the last event; each event has
   * the position to save. The variable `after` is the position to start from. The stream continues
   * until the signal aborts, however long the server is away.
   * @throws {LanyardGraphQLError} `RESYNC_REQUIRED` when the position is no longer valid; also any
   * other error that a new connection would not change.
   */
  readonly stream: <V extends { readonly after?: string | null }, D>(
    operation: Operation<V, D>,
    variables: V,
    options?: StreamOptions,
  ) => AsyncGenerator<StreamEvent<D>, void>;
}

/** A text may begin with a comment, a fragment or another operation. */
const isQuery = ({ name, text }: Operation<never, unknown>): boolean =>
  new RegExp(`\\bquery[\\s,]+${name}\\b`).test(text);

export function createLanyardGraphQL({
  baseUrl,
  token,
  timeout = 30_000,
  patience = 60_000,
  fetch = globalThis.fetch,
}: LanyardGraphQLOptions): LanyardGraphQL {
  const server = { baseUrl, token, fetch };

  const run = async <V, D>(
    operation: Operation<V, D>,
    variables: V,
    { signal, idempotencyKey }: RequestOptions = {},
  ): Promise<Result<D>> => {
    const headers: Record<string, string> = isQuery(operation)
      ? {}
      : { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() };
    const reply = await retrying(patience, signal, async () => {
      const limit = AbortSignal.timeout(timeout);
      const both = signal ? AbortSignal.any([signal, limit]) : limit;
      return readReply(await post(server, '/graphql', operation, variables, headers, both));
    });
    if (reply.errors) throw new LanyardGraphQLError(reply.errors, reply.data);
    return { data: reply.data as D, cost: reply.extensions?.cost };
  };

  return {
    run,
    async *pages(operation, variables, next, options) {
      for (let page = variables; ; ) {
        const { data } = await run(operation, page, options);
        yield data;
        const after = next(data);
        if (after === null || after === undefined) return;
        page = { ...page, after };
      }
    },
    stream: (operation, variables, options) => streamEvents(server, operation, variables, options),
  };
}
