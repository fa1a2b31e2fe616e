/** The errors of a GraphQL response as one class. */
import type { GraphQLProblem } from './types.js';

interface Options extends ErrorOptions {
  readonly retryAfter?: number | undefined;
}

export class LanyardGraphQLError extends Error {
  override readonly name = 'LanyardGraphQLError';
  /** All errors of the response. */
  readonly errors: readonly GraphQLProblem[];
  /** The partial result, if there is one. */
  readonly data: unknown;
  /**
   * Branch on this: the code of the first error, such as `FORBIDDEN`. New codes may be added.
   * `NO_RESPONSE` without a response, `HTTP_502` and the like when a proxy responded.
   */
  readonly code: string;
  /** Further information; with `VALIDATION_ERROR` the problems of each variable. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** Identifies the request in the log of the server. Quote it when you report a problem. */
  readonly requestId: string | undefined;
  /** Seconds after which the request may succeed, as after `RATE_LIMITED`. */
  readonly retryAfter: number | undefined;

  constructor(errors: readonly GraphQLProblem[], data?: unknown, options: Options = {}) {
    const [first] = errors;
    super(first?.message, options);
    this.errors = errors;
    this.data = data;
    this.code = first?.extensions?.code ?? 'UNKNOWN';
    this.details = first?.extensions?.details;
    this.requestId = first?.extensions?.request_id;
    this.retryAfter = options.retryAfter ?? first?.extensions?.retry_after;
  }
}
