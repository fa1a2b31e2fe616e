import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import { MemberJobRole } from '../../entities/member.js';
import { batch, group } from '../batch.js';
import { type MemberKey, pair, pairs } from '../member/reads.js';
import { readRecord } from '../records.js';
import { selectionOf } from '../selection.js';
import { columnsFor, sourceOf } from '../source.js';

export const assignments = sourceOf(MemberJobRole, 'a', {
  derived: { jobRole: ['jobRoleId'] },
  always: ['organizationMemberId'],
});

/** The job roles assigned to a member, in the order of assignment; batched. */
export const listAssignments = (
  ctx: Context,
  info: GraphQLResolveInfo,
  key: MemberKey,
): Promise<MemberJobRole[]> =>
  batch<MemberKey, MemberJobRole[]>(ctx, info, 'assignments', async (keys) => {
    const { list, from } = columnsFor(assignments, selectionOf(info));
    const rows = await ctx.db.query<MemberJobRole>(
      `select ${list} from ${from} ${pair} on a.organization_id = wanted.organization_id and a.organization_member_id = wanted.id order by a.assigned_at, a.job_role_id`,
      pairs(keys),
    );
    return group(
      keys.map(({ id }) => id),
      rows,
      (row) => row.organizationMemberId,
    );
  }).load(key);

export interface AssignmentKey {
  readonly organizationId: string;
  readonly organizationMemberId: string;
  readonly jobRoleId: string;
}

/** Selects one assignment. The values are those of {@link AssignmentKey}, in order. */
export const whereKey =
  'a.organization_id = $1 and a.organization_member_id = $2 and a.job_role_id = $3';

export const readAssignment = (
  ctx: Context,
  info: GraphQLResolveInfo,
  key: AssignmentKey,
): Promise<MemberJobRole> => readRecord(ctx, info, assignments, whereKey, Object.values(key));
