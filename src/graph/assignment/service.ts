import type { Context } from '../../context.js';
import { type Change, recordChanges } from '../../database/record-changes.js';
import { difference } from '../../entities/difference.js';
import { MemberJobRole } from '../../entities/member.js';
import { ApiError } from '../../errors.js';
import { usable } from '../definition/reads.js';
import { requireVersion } from '../precondition.js';
import { actorOf, lockRecord } from '../records.js';
import { type AssignmentKey, assignments, whereKey } from './reads.js';
import type { JobRoleAssign } from './type.js';

/**
 * Assigns a job role, or changes an existing assignment.
 * @throws {ApiError} `not_found` when the organization has no such member or cannot use such an
 * active role; as {@link requireVersion}.
 */
export async function assignJobRole(
  ctx: Context,
  key: AssignmentKey,
  input: JobRoleAssign,
  ifUpdatedAt?: string | null,
): Promise<void> {
  const { organizationId } = key;
  await requireMemberAndRole(ctx, key);
  const stored = await lockRecord<MemberJobRole>(ctx.db, assignments, whereKey, Object.values(key));
  requireVersion(ctx, stored, ifUpdatedAt);
  const change = { organizationId, entity: MemberJobRole };
  const wanted = { isPrimary: input.isPrimary ?? stored?.isPrimary ?? false };
  const set = stored ? difference(wanted, { ...stored }) : wanted;
  if (Object.keys(set).length === 0) return;
  const moved = set.isPrimary ? await otherPrimary(ctx, key) : [];
  await recordChanges(ctx.db, actorOf(ctx), [
    ...moved,
    { ...change, key: { ...key }, set, ...(stored && { from: { ...stored } }) },
  ]);
}

/**
 * Removes the assignment. Does nothing if there is none, unless a version is given.
 * @throws {ApiError} as {@link requireVersion}.
 */
export async function removeJobRole(
  ctx: Context,
  key: AssignmentKey,
  ifUpdatedAt?: string | null,
): Promise<void> {
  const stored = await lockRecord<MemberJobRole>(ctx.db, assignments, whereKey, Object.values(key));
  requireVersion(ctx, stored, ifUpdatedAt);
  if (!stored) return;
  // The audit event has a column for the organization; its changes do not repeat it.
  const { organizationId, ...from } = stored;
  await recordChanges(ctx.db, actorOf(ctx), [
    { organizationId, entity: MemberJobRole, key: { ...key }, from },
  ]);
}

/** Locks the member, so that concurrent requests cannot make two roles primary. */
async function requireMemberAndRole(
  ctx: Context,
  { organizationId, organizationMemberId, jobRoleId }: AssignmentKey,
): Promise<void> {
  const found = await ctx.db.query(
    `select 1 from organization_members m, job_roles d
     where m.organization_id = $1 and m.id = $2 and d.id = $3 and d.status = 'active' and ${usable('d', '$4')} for no key update of m`,
    [organizationId, organizationMemberId, jobRoleId, [organizationId]],
  );
  if (found.length === 0) throw new ApiError('not_found');
}

async function otherPrimary(
  ctx: Context,
  { organizationId, organizationMemberId, jobRoleId }: AssignmentKey,
): Promise<Change[]> {
  const rows = await ctx.db.query<{ jobRoleId: string }>(
    `select job_role_id as "jobRoleId" from member_job_roles
     where organization_id = $1 and organization_member_id = $2 and is_primary and job_role_id <> $3`,
    [organizationId, organizationMemberId, jobRoleId],
  );
  return rows.map((row) => ({
    organizationId,
    entity: MemberJobRole,
    key: { organizationId, organizationMemberId, ...row },
    set: { isPrimary: false },
    from: { isPrimary: true },
  }));
}
