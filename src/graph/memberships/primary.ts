/** Changes the primary membership of the caller. */
import { type GraphQLResolveInfo, Kind } from 'graphql';
import { movePrimary } from '../../auth/accounts/primary.js';
import type { Principal } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { ApiError } from '../../errors.js';
import { actorOf } from '../reads/records.js';

/**
 * Changes the primary membership. Another mutation in the same transaction would hold the version
 * clocks of both organizations longer.
 * @throws {ApiError} `invalid_request` when the operation has any other field.
 */
export async function setPrimary(
  ctx: Context,
  info: GraphQLResolveInfo,
  { userId }: Principal,
  organizationId: string,
): Promise<void> {
  const [only, ...others] = info.operation.selectionSet.selections;
  if (only?.kind !== Kind.FIELD || others.length > 0)
    throw new ApiError(
      'invalid_request',
      'setPrimaryMembership must be the only field of its operation.',
    );
  await movePrimary(ctx.db, { ...actorOf(ctx), userId }, organizationId);
}
