/** What clients do about each error: the text of docs/errors.md and of the OpenAPI document. */
import type { ErrorCode } from '../errors.js';

export interface Guidance {
  /** When it comes, in a sentence or two. */
  readonly when: string;
  /** What to do about it. */
  readonly advice: string;
  /** Whether the same request may succeed: never, later, or once something else was done. */
  readonly retry: 'no' | 'later' | 'after';
}

export const guidance: Readonly<Record<ErrorCode, Guidance>> = {
  malformed_json: {
    when: 'The body is not JSON, or not in UTF-8.',
    advice: 'Fix the program that writes the body.',
    retry: 'no',
  },
  invalid_request: {
    when: 'The request cannot be read: it is nested more than 32 levels deep or broken off, or a GraphQL operation is invalid or asks for too much. With status 431 the head is larger than 16 KiB, with 408 the request came too slowly.',
    advice:
      'Read the message: it names the problem. With `details.path`, ask for less there: `details.page` and `details.first` name a page size that fits.',
    retry: 'no',
  },
  unauthenticated: {
    when: 'There is no access token, or it is no longer valid: it has expired or was revoked, or the app or the person was disabled.',
    advice: 'Refresh the token once and send the request again. If that fails too, send the person through sign-in again.',
    retry: 'after',
  },
  insufficient_scope: {
    when: 'The app does not have the API scope in `details.required_scope`.',
    advice: 'Add the scope to the app in the developer portal. An admin of each organization then approves it.',
    retry: 'after',
  },
  forbidden: {
    when: 'The person may not do this: not a member of the organization, suspended there, or without the role that this needs. The answer is the same whether the organization or member exists or not.',
    advice: 'Tell the person. An admin of the organization can change a role.',
    retry: 'no',
  },
  approval_required: {
    when: 'The app has the scope, but no admin of this organization has approved it: `details.required_scope`.',
    advice: 'Ask an admin to approve the app under **App approvals** in the portal. The same token works from then on.',
    retry: 'after',
  },
  not_found: {
    when: 'There is no such record in what you can reach, or no such path.',
    advice: 'Check the id and the organization in the path.',
    retry: 'no',
  },
  method_not_allowed: {
    when: 'The path exists, with other methods.',
    advice: 'Use a method that the `Allow` header names.',
    retry: 'no',
  },
  conflict: {
    when: 'A value that must be unique is taken: `details.field` names it.',
    advice: 'Find the record that has the value, and change that; or send another value.',
    retry: 'no',
  },
  idempotency_key_reused: {
    when: 'The `Idempotency-Key` was sent before with another body, path or method.',
    advice: 'Fix the program: each request needs a key of its own, and a retry must send the same bytes.',
    retry: 'no',
  },
  invalid_transition: {
    when: 'The record cannot go from its state to the one asked for: `details.from` and `details.to`, where there are two.',
    advice: 'Read the record again, and decide by its present state.',
    retry: 'no',
  },
  resync_required: {
    when: 'The position of the change feed is too old, from before a restored backup, or from when you could see less. Only the query and subscription `changes` answer it.',
    advice: 'Take a new position, read the lists again, and follow the changes from that position.',
    retry: 'no',
  },
  payload_too_large: {
    when: 'The body is larger than 1 MiB.',
    advice: 'Send less at once: the bulk mutations take up to 1,000 rows a call.',
    retry: 'no',
  },
  unsupported_media_type: {
    when: 'The body has another type than JSON, or is compressed.',
    advice: 'Send `Content-Type: application/json`, and no `Content-Encoding`.',
    retry: 'no',
  },
  validation_error: {
    when: 'Values are missing, malformed or unknown. `details` maps the path of each (`requirements.0.certification_type_id`) to a list of sentences.',
    advice: 'Show the sentences beside the fields they are about. Nothing was written.',
    retry: 'no',
  },
  rate_limited: {
    when: 'Too many requests of this app and person in a minute, or too many open streams. `RateLimit` and `RateLimit-Policy` say what is left.',
    advice: 'Wait as long as `Retry-After` says, then send the same request again.',
    retry: 'later',
  },
  internal_error: {
    when: 'Something is broken on the server.',
    advice: 'Report it with the `request_id`: the log has a line under it. A create may be sent again with the same `Idempotency-Key`.',
    retry: 'later',
  },
  idempotency_in_progress: {
    when: 'The first request with this `Idempotency-Key` is still being worked on.',
    advice: 'Wait as long as `Retry-After` says, then send the same bytes with the same key again.',
    retry: 'later',
  },
  service_unavailable: {
    when: 'The database cannot be reached, or the server is stopping.',
    advice: 'Wait as long as `Retry-After` says, then send the same request again; a create with the same `Idempotency-Key`.',
    retry: 'later',
  },
};
