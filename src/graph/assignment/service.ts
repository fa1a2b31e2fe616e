import type { Context } from '../../context.js';
import { type Change, write } from '../../database/journal.js';
import { difference } from '../../entities/difference.js';
import { MemberJobRole } from '../../entities/member.js';
import { ApiError } from '../../errors.js';
import { usable } from '../definition/reads.js';
import { actorOf, lockRecord, refuseNull } from '../records.js';
import { type AssignmentKey, assignments, whereKey } from './reads.js';
import type { JobRoleAssign } from './type.js';

/**
 * Assigns a job role, or changes how it is assigned.
 * @throws {ApiError} `not_found` when the organization has no such member, or can't use such an active role.
 */
export async function assignJobRole(ctx: Context, key: AssignmentKey, input: JobRoleAssign): Promise<void> {
  refuseNull(input, 'isPrimary');
  const { organizationId } = key;
  await requireMemberAndRole(ctx, key);
  const stored = await lockRecord<MemberJobRole>(ctx.db, assignments, whereKey, Object.values(key));
  const change = { organizationId, entity: MemberJobRole };
  const wanted = { isPrimary: input.isPrimary ?? stored?.isPrimary ?? false };
  const set = stored ? difference(wanted, { ...stored }) : wanted;
  if (Object.keys(set).length === 0) return;
  const moved = set.isPrimary ? await otherPrimary(ctx, key) : [];
  await write(ctx.db, actorOf(ctx), [...moved, { ...change, key: { ...key }, set, ...(stored && { from: { ...stored } }) }]);
}

/** Takes the assignment away; there need not be one. */
export async function removeJobRole(ctx: Context, key: AssignmentKey): Promise<void> {
  const stored = await lockRecord<MemberJobRole>(ctx.db, assignments, whereKey, Object.values(key));
  if (!stored) return;
  const { organizationId } = key;
  await write(ctx.db, actorOf(ctx), [{ organizationId, entity: MemberJobRole, key: { ...key }, from: { ...stored } }]);
}

/** Locks the member, so that two roles can't become primary at once. */
async function requireMemberAndRole(ctx: Context, { organizationId, organizationMemberId, jobRoleId }: AssignmentKey): Promise<void> {
  const found = await ctx.db.query(
    `select 1 from organization_members m, job_roles d
     where m.organization_id = $1 and m.id = $2 and d.id = $3 and d.status = 'active' and ${usable('d', '$4')} for no key update of m`,
    [organizationId, organizationMemberId, jobRoleId, [organizationId]],
  );
  if (found.length === 0) throw new ApiError('not_found');
}

async function otherPrimary(ctx: Context, { organizationId, organizationMemberId, jobRoleId }: AssignmentKey): Promise<Change[]> {
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
