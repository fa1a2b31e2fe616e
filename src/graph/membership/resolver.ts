import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Mutation, Resolver } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Caller, Scope } from '../access.js';
import { readMember } from '../member/reads.js';
import { Member } from '../member/type.js';
import { Text, UUID } from '../scalars.js';
import { reinstateMember, suspendMember, updateMember } from './service.js';
import { OrganizationMemberUpdate } from './type.js';

const organization = { description: 'The organization.' };
const member = { description: 'The id of the member.' };
const why = { nullable: true, description: 'Why; kept in the audit log.' };

@Resolver(() => Member)
export class MembershipResolver {
  @Mutation(() => Member, { description: 'Changes what an organization says of a member. For managers.' })
  @Scope('organization_members:write')
  async updateOrganizationMember(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, member) id: string,
    @Arg('input', () => OrganizationMemberUpdate, { description: 'What to change.' }) input: OrganizationMemberUpdate,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await updateMember(ctx, caller.managed(organizationId), id, input);
    return readMember(ctx, info, organizationId, id);
  }

  @Mutation(() => Member, { description: 'Shuts a member out: the person reaches nothing here from now on. For managers.' })
  @Scope('organization_members:write')
  async suspendOrganizationMember(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, member) id: string,
    @Arg('reason', () => Text, why) reason: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await suspendMember(ctx, caller.managed(organizationId), id, reason);
    return readMember(ctx, info, organizationId, id);
  }

  @Mutation(() => Member, { description: 'Lets a suspended member in again. For managers.' })
  @Scope('organization_members:write')
  async reinstateOrganizationMember(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, member) id: string,
    @Arg('reason', () => Text, why) reason: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    await reinstateMember(ctx, caller.managed(organizationId), id, reason);
    return readMember(ctx, info, organizationId, id);
  }
}
