import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { JobRole } from '../../entities/definition.js';
import { MemberJobRole } from '../../entities/member.js';
import { UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { readReferredDefinition } from '../definition/reads.js';
import { IfUpdatedAt } from '../precondition.js';
import { readAssignment } from './reads.js';
import { assignJobRole, removeJobRole } from './service.js';
import { JobRoleAssign } from './type.js';

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
