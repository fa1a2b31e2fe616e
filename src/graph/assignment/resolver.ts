import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, FieldResolver, Info, Mutation, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Caller, Scope } from '../access.js';
import { readReferredDefinition } from '../definition/reads.js';
import { JobRole } from '../definition/type.js';
import { UUID } from '../scalars.js';
import { readAssignment } from './reads.js';
import { assignJobRole, removeJobRole } from './service.js';
import { JobRoleAssign, JobRoleAssignment } from './type.js';

const organization = { description: 'The organization.' };
const member = { description: 'The member.' };
const jobRole = { description: 'The job role.' };

@Resolver(() => JobRoleAssignment)
export class JobRoleAssignmentResolver {
  @Mutation(() => JobRoleAssignment, { description: 'Assigns a job role to a member, or changes how it is assigned.' })
  @Scope('job_roles:write')
  async assignJobRole(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('organizationMemberId', () => UUID, member) organizationMemberId: string,
    @Arg('jobRoleId', () => UUID, jobRole) jobRoleId: string,
    @Arg('input', () => JobRoleAssign, { description: 'How it is assigned.' }) input: JobRoleAssign,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    caller.managed(organizationId);
    const key = { organizationId, organizationMemberId, jobRoleId };
    await assignJobRole(ctx, key, input);
    return readAssignment(ctx, info, key);
  }

  @Mutation(() => Boolean, { description: 'Takes a job role away from a member. True, also when it was not assigned.' })
  @Scope('job_roles:write')
  async removeJobRole(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('organizationMemberId', () => UUID, member) organizationMemberId: string,
    @Arg('jobRoleId', () => UUID, jobRole) jobRoleId: string,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
  ) {
    caller.managed(organizationId);
    await removeJobRole(ctx, { organizationId, organizationMemberId, jobRoleId });
    return true;
  }

  @FieldResolver(() => JobRole, { description: 'The job role.' })
  @Scope('job_roles:read')
  jobRole(@Root() assignment: { jobRoleId: string }, @Ctx() ctx: Context, @Info() info: GraphQLResolveInfo) {
    return readReferredDefinition(ctx, info, 'jobRoles', assignment.jobRoleId);
  }
}
