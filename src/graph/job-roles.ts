/** Reads and replaces the qualifications that a job role requires. */
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { Access, Membership } from '../auth/policy.js';
import type { Context } from '../context.js';
import { type Change, recordChanges } from '../database/record-changes.js';
import { JobRole, Qualification } from '../entities/definition.js';
import { JobRoleQualification } from '../entities/job-role-qualification.js';
import { UUID } from '../scalars/scalars.js';
import { Caller, Scope } from './access.js';
import { kinds, readDefinition } from './definitions/reads.js';
import { type DefinitionSet, lockSet } from './definitions/sets.js';
import { maxQualifications } from './evaluation/definitions.js';
import { IfUpdatedAt } from './input/precondition.js';
import { batch, group } from './reads/batch.js';
import { columnsFor } from './reads/projection.js';
import { actorOf } from './reads/records.js';
import { selectionOf } from './reads/selection.js';

/** The qualifications that a job role requires, in order; batched. */
export const listNeeds = (
  ctx: Context,
  info: GraphQLResolveInfo,
  jobRoleId: string,
): Promise<Qualification[]> =>
  batch<string, Qualification[]>(ctx, info, 'needs', async (ids) => {
    const { list, from } = columnsFor(kinds.qualifications, selectionOf(info));
    const rows = await ctx.db.query<Qualification & { jobRoleId: string }>(
      `select n.job_role_id as "jobRoleId", ${list} from ${from} join job_role_qualifications n on n.qualification_id = d.id
       where n.job_role_id = any($1) order by n.job_role_id, n.position`,
      [ids],
    );
    return group(ids, rows, (row) => row.jobRoleId);
  }).load(jobRoleId);

const needs: DefinitionSet = {
  kind: 'qualifications',
  ownerKind: 'jobRoles',
  table: 'job_role_qualifications',
  owner: 'job_role_id',
  entry: 'qualification_id',
  columns: 's.position',
  max: maxQualifications,
  list: 'qualificationIds',
  called: 'qualification',
};

/**
 * Replaces the set. The version of the job role changes; an equal set changes nothing.
 * @throws {ApiError} As {@link lockSet}.
 */
export async function replaceNeeds(
  ctx: Context,
  { organizationId }: Membership,
  jobRoleId: string,
  given: string[],
  ifUpdatedAt?: string | null,
): Promise<void> {
  const stored = await lockSet(ctx, needs, organizationId, jobRoleId, given, ifUpdatedAt);
  const change = (qualificationId: string) => ({
    organizationId,
    entity: JobRoleQualification,
    key: { jobRoleId, qualificationId },
  });
  const removed = [...stored.values()]
    .filter(({ id }) => !given.includes(id))
    .map(({ id, position }): Change => ({ ...change(id), from: { position } }));
  const set = given.flatMap((qualificationId, position): Change[] => {
    const old = stored.get(qualificationId);
    if (!old) return [{ ...change(qualificationId), set: { organizationId, position } }];
    return old.position === position
      ? []
      : [{ ...change(qualificationId), set: { position }, from: { position: old.position } }];
  });
  if (removed.length + set.length === 0) return;
  const touched: Change = {
    organizationId,
    entity: JobRole,
    key: { id: jobRoleId },
    set: {},
    from: {},
  };
  await recordChanges(ctx.db, actorOf(ctx), [...removed, ...set, touched]);
}

@Resolver(() => JobRole)
export class JobRoleNeedsResolver {
  @Mutation(() => JobRole, {
    description:
      'Replaces the qualifications that a job role requires. Requires the `admin` or `manager` role.',
  })
  @Scope('job_roles:write')
  async replaceJobRoleQualifications(
    @Arg('organizationId', () => UUID, { description: 'The organization that owns the job role.' })
    organizationId: string,
    @Arg('jobRoleId', () => UUID, { description: 'The id of the job role.' }) jobRoleId: string,
    @Arg('qualificationIds', () => [UUID], {
      description:
        'The complete new list, in order: up to 200 active qualifications that the organization can use, each once.',
    })
    qualificationIds: string[],
    @IfUpdatedAt('job role') ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await replaceNeeds(
      ctx,
      caller.managed(organizationId),
      jobRoleId,
      qualificationIds,
      ifUpdatedAt,
    );
    return readDefinition(ctx, info, 'jobRoles', caller, jobRoleId, organizationId);
  }

  @FieldResolver(() => [Qualification], {
    description: 'The qualifications that the job role requires, in order.',
  })
  @Scope('qualifications:read')
  qualifications(
    @Root() { id }: { id: string },
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listNeeds(ctx, info, id);
  }
}
