/**
 * Preconditions of changes: the record must still have the expected version. The version is the
 * record's `updatedAt`.
 */
import { Arg } from 'type-graphql';
import type { Context } from '../../context.js';
import { ApiError, invalid } from '../../errors.js';
import { DateTime } from '../../scalars/scalars.js';

/** The `ifUpdatedAt` argument of a mutation that changes one record. */
export const IfUpdatedAt = (of = 'record') =>
  Arg('ifUpdatedAt', () => DateTime, {
    nullable: true,
    description: `The expected \`updatedAt\` of the ${of}. If it has changed, the operation fails with \`PRECONDITION_FAILED\`. When omitted, any version is accepted; null is rejected.`,
  });

/**
 * Rejects a change of an outdated version. Call this after locking the record and checking access,
 * so that no other write can come between.
 * @param stored The locked record; undefined when there is none.
 * @param ifUpdatedAt The argument of the mutation. Without it, `If-Match` of REST applies.
 * @throws {ApiError} `precondition_failed` with the current version, null for none;
 * `validation_error` for null.
 */
export function requireVersion(
  { ifMatch }: Context,
  stored: { readonly updatedAt: string } | undefined,
  ifUpdatedAt: string | null | undefined,
): void {
  // Null may come from a failed lookup, which must not become an unconditional change.
  if (ifUpdatedAt === null)
    throw invalid({ ifUpdatedAt: ['must not be null: omit it to change any version'] });
  const expected = ifUpdatedAt === undefined ? ifMatch : [instantOf(ifUpdatedAt)];
  if (expected === undefined) return;
  const current = stored?.updatedAt;
  if (current !== undefined && (expected === '*' || expected.includes(current))) return;
  throw new ApiError('precondition_failed', undefined, { current: current ?? null });
}

/** A date-time in UTC, as {@link DateTime} reads it. Any other text is returned unchanged. */
function instantOf(text: string): string {
  const time = Date.parse(text.replace(/\.\d+/, ''));
  return Number.isNaN(time)
    ? text
    : new Date(time).toISOString().replace(/\.\d+/, text.slice(19, 26));
}
