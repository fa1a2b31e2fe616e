import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { JobRole, Qualification } from '../../entities/definition.js';
import { UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { readDefinition } from '../definition/reads.js';
import { IfUpdatedAt } from '../precondition.js';
import { listNeeds, replaceNeeds } from './needs.js';

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
