/** The one error table. A thrower names the code; status and retry hint follow from here, in REST and GraphQL alike. What clients do about each is in errors/guidance.ts. */

const table = {
  malformed_json: [400, 'The request body is not valid JSON in UTF-8.'],
  invalid_request: [400, 'The request could not be read.'],
  unauthenticated: [401, 'A valid access token is required: send it as "Authorization: Bearer <token>".'],
  insufficient_scope: [403, 'The app does not have the API scope that this operation needs.'],
  forbidden: [403, 'You cannot reach this organization or member.'],
  approval_required: [403, 'An admin of the organization must approve this use of the app first.'],
  not_found: [404, 'There is no such record.'],
  method_not_allowed: [405, 'This path does not take this method; see the Allow header.'],
  conflict: [409, 'The value is already taken.'],
  idempotency_key_reused: [409, 'This Idempotency-Key was used for a different request; use a new key.'],
  invalid_transition: [409, 'The record cannot make this move from its present state.'],
  resync_required: [410, 'The changes since this position are no longer known: read the lists again, then follow the changes from now on.'],
  payload_too_large: [413, 'The request body is larger than 1 MiB.'],
  unsupported_media_type: [415, 'Send the body as "Content-Type: application/json".'],
  validation_error: [422, 'The request has invalid values; see details.'],
  rate_limited: [429, 'Too many requests; retry after the time given in Retry-After.'],
  internal_error: [500, 'Something went wrong on our side; quote the request id when you report it.'],
  idempotency_in_progress: [503, 'A request with this Idempotency-Key is still being processed; retry shortly.'],
  service_unavailable: [503, 'The service is briefly unavailable; retry shortly.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof table;

export const errorCodes = Object.keys(table) as ErrorCode[];

/** The HTTP status of a code. */
export const statusOf = (code: ErrorCode): number => table[code][0];

/** The sentence that a code stands for when the thrower gives none. */
export const messageOf = (code: ErrorCode): string => table[code][1];

/** Free keys; for `validation_error` a path in the client's own names → sentences. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An error that may be shown to a client. Anything else thrown is masked as `internal_error`. */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string = messageOf(code),
    readonly details?: ErrorDetails,
    /** Seconds until a retry makes sense. */
    readonly retryAfter: number | undefined = statusOf(code) === 503 ? 1 : undefined,
  ) {
    super(message);
  }

  get status(): number {
    return statusOf(this.code);
  }
}

/** What is wrong, by path (`requirements.0.certificationTypeId`): one or more sentences each. */
export type Problems = Record<string, string[]>;

export const invalid = (problems: Problems): ApiError => new ApiError('validation_error', messageOf('validation_error'), problems);

/** What is wrong with the values, when that is what the error says. */
export const problemsOf = (error: unknown): Problems | undefined =>
  error instanceof ApiError && error.code === 'validation_error' ? (error.details as Problems) : undefined;

export const conflict = (field: string, message: string): ApiError => new ApiError('conflict', message, { field });
