/** Cause and advice of each error, for docs/errors.md and the OpenAPI document. */
import type { ErrorCode } from '../../errors.js';

export interface Guidance {
  /** Cause of the error. */
  readonly when: string;
  /** Advice for clients. */
  readonly advice: string;
  /** Whether the same request may succeed: never, later, or after a correction. */
  readonly retry: 'no' | 'later' | 'after';
}

export const guidance: Readonly<Record<ErrorCode, Guidance>> = {
  malformed_json: {
    when: 'The body is not JSON, or not in UTF-8.',
    advice: 'Fix the program that writes the body.',
    retry: 'no',
  },
  invalid_request: {
    when: 'The request cannot be read: it is nested more than 32 levels deep, has more than 30,000 properties, has a property twice or is incomplete, `If-Match` is malformed, or a GraphQL operation is invalid or exceeds a limit. With status 431 the request headers are larger than 16 KiB, with 408 the request was sent too slowly.',
    advice:
      'Read the message: it names the problem. With `details.path`, request less there: `details.page` and `details.first` name a page size that fits.',
    retry: 'no',
  },
  unauthenticated: {
    when: 'There is no access token, or it is no longer valid: it has expired or was revoked, or the app or the person was disabled.',
    advice:
      'Refresh the token once and send the request again. If that fails too, start a new sign-in.',
    retry: 'after',
  },
  insufficient_scope: {
    when: 'The app does not have the API scope in `details.required_scope`.',
    advice:
      'Add the scope to the app in the developer portal. An admin of each organization then approves it.',
    retry: 'after',
  },
  forbidden: {
    when: 'The person does not have the permission: not a member of the organization, suspended there, or without the required role. The response is the same whether or not the organization or member exists.',
    advice: 'Inform the person. An admin of the organization can change roles.',
    retry: 'no',
  },
  approval_required: {
    when: 'The app has the scope, but no admin of this organization has approved it: `details.required_scope`.',
    advice:
      'Ask an admin to approve the app under **App approvals** in the portal. The same token works from then on.',
    retry: 'after',
  },
  not_found: {
    when: 'The record or path does not exist, or you have no access to the record.',
    advice: 'Check the id and the organization in the path.',
    retry: 'no',
  },
  method_not_allowed: {
    when: 'The path supports other methods only.',
    advice: 'Use a method in the `Allow` header.',
    retry: 'no',
  },
  conflict: {
    when: 'A value that must be unique is already in use: `details.field` names it.',
    advice: 'Change the existing record with the value, or send another value.',
    retry: 'no',
  },
  idempotency_key_reused: {
    when: 'The `Idempotency-Key` was sent before with another body, path or method.',
    advice:
      'Fix the program: each request needs its own key, and a retry must send the same bytes.',
    retry: 'no',
  },
  invalid_transition: {
    when: 'The record cannot change from its current state to the requested one: `details.from` and `details.to`, if present.',
    advice: 'Read the record again, and decide by its current state.',
    retry: 'no',
  },
  resync_required: {
    when: 'The position of the change feed is too old, from before a restored backup, or from a time with fewer permissions. Only the query and subscription `changes` return this error.',
    advice:
      'Query a new position, read the lists again, and follow the changes from that position.',
    retry: 'no',
  },
  precondition_failed: {
    when: 'The record was changed or removed since you read it, or never existed, which `If-Match: *` rejects too. `details.current` is its current version, the `updated_at`; null if it does not exist.',
    advice:
      'Read the record again, repeat your change on it, and send that version. Nothing was written.',
    retry: 'after',
  },
  payload_too_large: {
    when: 'The body is larger than 1 MiB; without an access token, a GraphQL request larger than 64 KiB.',
    advice: 'Send smaller requests: the bulk mutations accept up to 1,000 rows each.',
    retry: 'no',
  },
  unsupported_media_type: {
    when: 'The body is not JSON, or is compressed.',
    advice: 'Send `Content-Type: application/json`, and no `Content-Encoding`.',
    retry: 'no',
  },
  validation_error: {
    when: 'Values are missing, malformed or unknown. `details` maps the path of each (`requirements.0.certification_type_id`) to a list of messages.',
    advice: 'Show the messages beside their fields. Nothing was written.',
    retry: 'no',
  },
  rate_limited: {
    when: 'Too many requests of this app and person in a minute, too many without a valid token from one address, too many in progress, or too many open streams. `RateLimit` and `RateLimit-Policy` have the limit and the remaining requests.',
    advice: 'Wait for `Retry-After`, then send the same request again.',
    retry: 'later',
  },
  internal_error: {
    when: 'An unexpected error occurred on the server.',
    advice:
      'Report it with the `request_id`, which identifies the log line. A create may be sent again with the same `Idempotency-Key`.',
    retry: 'later',
  },
  idempotency_in_progress: {
    when: 'The first request with this `Idempotency-Key` is still in progress.',
    advice: 'Wait for `Retry-After`, then send the same bytes with the same key again.',
    retry: 'later',
  },
  service_unavailable: {
    when: 'The database is unreachable, or the server is shutting down.',
    advice:
      'Wait for `Retry-After`, then send the same request again; a create with the same `Idempotency-Key`.',
    retry: 'later',
  },
};
