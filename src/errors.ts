/**
 * The error table. Code that throws names an error code; status and `Retry-After` are derived from
 * it, in REST and GraphQL. rest/openapi/error-guidance.ts has the advice for clients.
 */

const table = {
  malformed_json: [400, 'The request body is not valid JSON in UTF-8.'],
  invalid_request: [400, 'The request could not be read.'],
  unauthenticated: [
    401,
    'A valid access token is required: send it as "Authorization: Bearer <token>".',
  ],
  insufficient_scope: [403, 'The app does not have the API scope that this operation needs.'],
  forbidden: [403, 'You cannot reach this organization or member.'],
  approval_required: [403, 'An admin of the organization must approve this use of the app first.'],
  not_found: [404, 'There is no such record.'],
  method_not_allowed: [405, 'This path does not take this method; see the Allow header.'],
  conflict: [409, 'The value is already taken.'],
  idempotency_key_reused: [
    409,
    'This Idempotency-Key was used for a different request; use a new key.',
  ],
  invalid_transition: [409, "This transition is not allowed from the record's current state."],
  resync_required: [
    410,
    'The changes since this position are no longer known: read the lists again, then follow the changes from now on.',
  ],
  precondition_failed: [
    412,
    'The record does not exist, or has another version than If-Match or ifUpdatedAt requires.',
  ],
  payload_too_large: [413, 'The request body is larger than 1 MiB.'],
  unsupported_media_type: [415, 'Send the body as "Content-Type: application/json".'],
  validation_error: [422, 'The request has invalid values; see details.'],
  rate_limited: [429, 'Too many requests; retry after the time given in Retry-After.'],
  internal_error: [
    500,
    'Something went wrong on our side; quote the request id when you report it.',
  ],
  idempotency_in_progress: [
    503,
    'A request with this Idempotency-Key is still being processed; retry shortly.',
  ],
  service_unavailable: [503, 'The service is briefly unavailable; retry shortly.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof table;

export const errorCodes = Object.keys(table) as ErrorCode[];

/** The HTTP status of a code. */
export const statusOf = (code: ErrorCode): number => table[code][0];

/** The default message of a code. */
export const messageOf = (code: ErrorCode): string => table[code][1];

/**
 * Additional data; for `validation_error` messages by path, with the property names of the client.
 */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An error that may be shown to a client. Every other exception is masked as `internal_error`. */
export class ApiError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string = messageOf(code),
    readonly details?: ErrorDetails,
    /** Seconds to wait before a retry. */
    readonly retryAfter: number | undefined = statusOf(code) === 503 ? 1 : undefined,
  ) {
    super(message);
  }

  get status(): number {
    return statusOf(this.code);
  }
}

/** Messages by path (`requirements.0.certificationTypeId`). */
export type Problems = Record<string, string[]>;

export const invalid = (problems: Problems): ApiError =>
  new ApiError('validation_error', messageOf('validation_error'), problems);

/** The problems of a `validation_error`; undefined for other errors. */
export const problemsOf = (error: unknown): Problems | undefined =>
  error instanceof ApiError && error.code === 'validation_error'
    ? (error.details as Problems)
    : undefined;

export const conflict = (field: string, message: string): ApiError =>
  new ApiError('conflict', message, { field });

/**
 * An external condition prevents the start of the server, such as a port in use. The message says
 * what to do.
 */
export class StartError extends Error {}
