import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  Info,
  InputType,
  Mutation,
  Resolver,
  Root,
} from 'type-graphql';
import type { Access } from '../auth/policy.js';
import type { Context } from '../context.js';
import { type Change, recordChanges } from '../database/record-changes.js';
import { JobRole } from '../entities/definition.js';
import { MemberJobRole } from '../entities/member.js';
import { ApiError } from '../errors.js';
import { difference } from '../rules/difference.js';
import { UUID } from '../scalars/scalars.js';
import { Caller, Scope } from './access.js';
import { available, readReferredDefinition } from './definitions/reads.js';
import { NotNull } from './input/blank.js';
import { IfUpdatedAt, requireVersion } from './input/precondition.js';
import { type MemberKey, pair, pairs } from './members/reads.js';
import { batch, group, pin, readTogether } from './reads/batch.js';
import { columnsFor, projectionOf } from './reads/projection.js';
import { actorOf, lockRecord, readRecord } from './reads/records.js';
import { selectionOf } from './reads/selection.js';

@InputType({ description: 'The properties of a job role assignment.' })
export class JobRoleAssign {
  @NotNull()
  @Field({
    nullable: true,
    description:
      'Whether this becomes the main job role of the member. When omitted, an existing ' +
      'assignment keeps its value and a new one gets false.',
  })
  isPrimary?: boolean;
}

export const assignments = projectionOf(MemberJobRole, 'a', {
  derived: { jobRole: ['jobRoleId'] },
  always: ['organizationMemberId'],
});

/** The job roles assigned to a member, in the order of assignment; batched. */
export const listAssignments = (
  ctx: Context,
  info: GraphQLResolveInfo,
  key: MemberKey,
): Promise<MemberJobRole[]> =>
  batch<MemberKey, MemberJobRole[]>(ctx, info, 'assignments', (all) =>
    readTogether(ctx.db, all, organizationOf, async (keys, organizationId) => {
      const { list, from } = columnsFor(assignments, selectionOf(info));
      const values: unknown[] = pairs(keys);
      const pinned = pin('a.organization_id', values, organizationId);
      const rows = await ctx.db.query<MemberJobRole>(
        `select ${list} from ${from} ${pair} on a.organization_id = wanted.organization_id and a.organization_member_id = wanted.id${pinned} order by a.assigned_at, a.job_role_id`,
        values,
      );
      return group(
        keys.map(({ id }) => id),
        rows,
        (row) => row.organizationMemberId,
      );
    }),
  ).load(key);

const organizationOf = ({ organizationId }: MemberKey): string => organizationId;

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
     where m.organization_id = $1 and m.id = $2 and d.id = $3 and d.status = 'active' and ${available('d', '$4')} for no key update of m`,
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

const organization = { description: 'The id of the organization.' };
const member = { description: 'The id of the member.' };
const jobRole = { description: 'The id of the job role.' };

@Resolver(() => MemberJobRole)
export class JobRoleAssignmentResolver {
  @Mutation(() => MemberJobRole, {
    description:
      'Assigns a job role to a member, or changes the existing assignment. Requires the `admin` or `manager` role.',
  })
  @Scope('job_roles:write')
  async assignJobRole(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('organizationMemberId', () => UUID, member) organizationMemberId: string,
    @Arg('jobRoleId', () => UUID, jobRole) jobRoleId: string,
    @Arg('input', () => JobRoleAssign, { description: 'The properties of the assignment.' })
    input: JobRoleAssign,
    @IfUpdatedAt('assignment') ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    caller.managed(organizationId);
    const key = { organizationId, organizationMemberId, jobRoleId };
    await assignJobRole(ctx, key, input, ifUpdatedAt);
    return readAssignment(ctx, info, key);
  }

  @Mutation(() => Boolean, {
    description:
      'Removes a job role from a member. Returns true even if it was not assigned. Requires the `admin` or `manager` role.',
  })
  @Scope('job_roles:write')
  async removeJobRole(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('organizationMemberId', () => UUID, member) organizationMemberId: string,
    @Arg('jobRoleId', () => UUID, jobRole) jobRoleId: string,
    @IfUpdatedAt('assignment') ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
  ) {
    caller.managed(organizationId);
    await removeJobRole(ctx, { organizationId, organizationMemberId, jobRoleId }, ifUpdatedAt);
    return true;
  }

  @FieldResolver(() => JobRole, { description: 'The job role.' })
  @Scope('job_roles:read')
  jobRole(
    @Root() assignment: { jobRoleId: string },
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readReferredDefinition(ctx, info, 'jobRoles', assignment.jobRoleId);
  }
}
