/** What goes wrong, as one class: an answer that is an error, or no answer at all. */
import type { components } from './schema.js';

type Responses = components['responses'];
type Details = components['schemas']['Error']['error']['details'];

/** The codes that the API documents for its operations. */
export type ErrorCode = Responses[keyof Responses]['content']['application/json']['error']['code'];

export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: Details;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

export class LanyardError extends Error {
  override readonly name = 'LanyardError';
  /** Of the answer; 0 when there was none. */
  readonly status: number;
  /**
   * Decide by this: a code of the API; `no_response` when no answer came in time; `http_502` and
   * the like when something in between answered; an error code of OAuth (`invalid_grant`) when a
   * token could not be refreshed.
   */
  readonly code: ErrorCode | (string & {});
  /**
   * More, depending on the code; with `validation_error` a list of sentences for each property or
   * parameter.
   */
  readonly details: Details;
  /** Finds the request in the log of the server: quote it when you report a problem. */
  readonly requestId: string | undefined;

  constructor({ status, code, message, details, requestId, cause }: Problem) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }
}

/** @param body What was read of the answer, parsed where it was JSON. */
export function errorOf({ status, statusText, headers }: Response, body: unknown): LanyardError {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as Partial<
    components['schemas']['Error']
  >;
  const requestId = headers.get('x-request-id') ?? undefined;
  if (error)
    return new LanyardError({
      status,
      code: error.code,
      message: error.message,
      details: error.details,
      requestId,
    });
  return new LanyardError({
    status,
    code: `http_${status}`,
    message: `The answer was ${status} ${statusText}.`,
    requestId,
  });
}
