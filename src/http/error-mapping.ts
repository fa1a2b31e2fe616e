/** Converts thrown values to errors for clients. */
import { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import { isUnavailable, pgError } from '../database/failures.js';
import { ApiError, conflict } from '../errors.js';

/** Unique constraints, each with the field of the duplicate value. */
export const taken: Readonly<Record<string, readonly [field: string, message: string]>> = {
  users_email_key: ['email', 'There is an account with this e-mail address already.'],
  organization_members_email_key: [
    'email',
    'The organization has a member with this e-mail address.',
  ],
  organization_members_user_key: ['email', 'This account is a member of the organization already.'],
  organization_members_external_id_key: [
    'externalId',
    'The organization has a member with this external id.',
  ],
  certifications_external_id_key: [
    'externalId',
    'The organization has a record with this external id and external source.',
  ],
  certification_types_slug_key: [
    'slug',
    'The organization has a certification type with this slug.',
  ],
  qualifications_slug_key: ['slug', 'The organization has a qualification with this slug.'],
  job_roles_slug_key: ['slug', 'The organization has a job role with this slug.'],
};

/** The error for the client. Internal errors are logged with the request id and masked. */
export function toApiError(thrown: unknown, log: Logger, requestId: string): ApiError {
  const error = causeOf(thrown);
  if (error instanceof ApiError) return error;
  if (error instanceof GraphQLError) return new ApiError('invalid_request', error.message);
  const [field, message] = taken[pgError(error)?.constraint ?? ''] ?? [];
  if (field && message) return conflict(field, message);
  // NUL in a text, which PostgreSQL refuses: it came from the client.
  if (pgError(error)?.code === '22021') return new ApiError('invalid_request');
  const code = isUnavailable(error) ? 'service_unavailable' : 'internal_error';
  log.error(
    { err: error, requestId },
    code === 'internal_error' ? 'unexpected error' : 'database unavailable',
  );
  return new ApiError(code);
}

/** The error that a GraphQL error wraps. */
export const causeOf = (error: unknown): unknown =>
  error instanceof GraphQLError ? (error.originalError ?? error) : error;
