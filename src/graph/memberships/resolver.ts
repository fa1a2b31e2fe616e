import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { OrganizationMember } from '../../entities/member.js';
import { Text, UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { IfUpdatedAt } from '../input/precondition.js';
import { readMember } from '../members/reads.js';
import { setPrimary } from './primary.js';
import { reinstateMember, suspendMember, updateMember } from './service.js';
import { OrganizationMemberUpdate } from './type.js';

const organization = { description: 'The id of the organization.' };
const member = { description: 'The id of the member.' };
const why = { nullable: true, description: 'The reason, kept in the audit log.' };

@Resolver(() => OrganizationMember)
export class MembershipResolver {
  @Mutation(() => OrganizationMember, {
    description: 'Changes the properties of a member. Requires the `admin` or `manager` role.',
  })
  @Scope('organization_members:write')
  async updateOrganizationMember(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, member) id: string,
    @Arg('input', () => OrganizationMemberUpdate, { description: 'The properties to change.' })
    input: OrganizationMemberUpdate,
    @IfUpdatedAt('member') ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await updateMember(ctx, caller.managed(organizationId), id, input, ifUpdatedAt);
    return readMember(ctx, info, organizationId, id);
  }

  @Mutation(() => OrganizationMember, {
    description:
      'Suspends a member. The membership grants no access from the next request on. Requires the `admin` or `manager` role.',
  })
  @Scope('organization_members:write')
  async suspendOrganizationMember(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, member) id: string,
    @Arg('reason', () => Text, why) reason: string | undefined,
    @IfUpdatedAt('member') ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await suspendMember(ctx, caller.managed(organizationId), id, reason, ifUpdatedAt);
    return readMember(ctx, info, organizationId, id);
  }

  @Mutation(() => OrganizationMember, {
    description:
      'Reinstates a suspended member as `active`, or as `invited` if the person never accepted. ' +
      'Requires the `admin` or `manager` role.',
  })
  @Scope('organization_members:write')
  async reinstateOrganizationMember(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, member) id: string,
    @Arg('reason', () => Text, why) reason: string | undefined,
    @IfUpdatedAt('member') ifUpdatedAt: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await reinstateMember(ctx, caller.managed(organizationId), id, reason, ifUpdatedAt);
    return readMember(ctx, info, organizationId, id);
  }

  @Mutation(() => OrganizationMember, {
    description:
      "Makes the caller's membership in this organization the primary one, instead of the " +
      'previous one. Must be the only field of its operation, because it changes rows of two ' +
      'organizations.',
  })
  @Scope('organization_members:write')
  async setPrimaryMembership(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { memberId } = caller.organization(organizationId);
    await setPrimary(ctx, info, caller.principal, organizationId);
    return readMember(ctx, info, organizationId, memberId);
  }
}
