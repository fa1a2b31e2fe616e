import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Certification } from '../../entities/certification.js';
import { MemberJobRole, OrganizationMember } from '../../entities/member.js';
import { Organization } from '../../entities/organization.js';
import { Email, ExternalId, UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { listAssignments } from '../assignments.js';
import { listCertificationsOfMember } from '../certifications/reads.js';
import { CertificationConnection } from '../certifications/type.js';
import { AsOfArgs } from '../evaluation/as-of.js';
import { readOrganizationOf } from '../organizations.js';
import { PageArgs, SyncArgs } from '../reads/connection.js';
import { listResultsOf } from '../results/reads.js';
import { QualificationResultConnection } from '../results/type.js';
import { MemberFilters } from './filters.js';
import { findMember, listMembers, readMember, readMemberOf } from './reads.js';
import { createMember } from './service.js';
import { MemberConnection, OrganizationMemberCreate } from './type.js';

const organization = { description: 'The id of the organization.' };
const member = { description: 'The id of the member.' };

type Key = Pick<OrganizationMember, 'id' | 'organizationId'>;

@Resolver(() => OrganizationMember)
export class MemberResolver {
  @Query(() => MemberConnection, {
    description:
      'Lists the members of an organization, oldest change first by default. Members without ' +
      'the `admin` or `manager` role see only themselves.',
  })
  @Scope('organization_members:read')
  organizationMembers(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Args(() => MemberFilters) filters: MemberFilters,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listMembers(ctx, info, caller.organization(organizationId), filters);
  }

  @Query(() => OrganizationMember, {
    description:
      'Returns a member of an organization. Members without the `admin` or `manager` role can read only themselves.',
  })
  @Scope('organization_members:read')
  organizationMember(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, member) id: string,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readMember(ctx, info, caller.member(organizationId, id).organizationId, id);
  }

  @Query(() => OrganizationMember, {
    nullable: true,
    description:
      'Finds a member of an organization by exactly one of `id`, `externalId` and `email`. It is ' +
      'null when there is none, or when the caller cannot read it: members without the `admin` or ' +
      '`manager` role see only themselves.',
  })
  @Scope('organization_members:read')
  findOrganizationMember(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('id', () => UUID, { ...member, nullable: true }) id: string | undefined,
    @Arg('externalId', () => ExternalId, {
      nullable: true,
      description: 'The id of the member in an external system.',
    })
    externalId: string | undefined,
    @Arg('email', () => Email, {
      nullable: true,
      description: 'The e-mail address of the member. Case-insensitive.',
    })
    email: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return findMember(ctx, info, caller.organization(organizationId), { id, externalId, email });
  }

  @Mutation(() => OrganizationMember, {
    description:
      'Invites a person to an organization. The response does not reveal whether the address ' +
      'has an account. Requires the `admin` or `manager` role.',
  })
  @Scope('organization_members:write')
  createOrganizationMember(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Arg('input', () => OrganizationMemberCreate, { description: 'The new member.' })
    input: OrganizationMemberCreate,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return createMember(ctx, info, caller.managed(organizationId), input);
  }

  @FieldResolver(() => Organization, { description: 'The organization.' })
  @Scope('organizations:read')
  organization(
    @Root() { organizationId }: Key,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readOrganizationOf(ctx, info, caller.organization(organizationId).organizationId);
  }

  @FieldResolver(() => CertificationConnection, {
    description: 'The certification records of the member.',
  })
  @Scope('certification_records:read')
  certifications(
    @Root() { id, organizationId }: Key,
    @Args(() => SyncArgs) args: SyncArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    caller.member(organizationId, id);
    return listCertificationsOfMember(ctx, info, organizationId, id, args);
  }

  @FieldResolver(() => [MemberJobRole], {
    description: 'The job roles assigned to the member, in the order of assignment.',
  })
  @Scope('job_roles:read')
  jobRoles(
    @Root() { id, organizationId }: Key,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    caller.member(organizationId, id);
    return listAssignments(ctx, info, { organizationId, id });
  }

  @FieldResolver(() => QualificationResultConnection, {
    description:
      "The member's results for all active qualifications that the organization can use.",
  })
  @Scope('organization_members:read', 'certification_records:read')
  qualificationResults(
    @Root() { id, organizationId }: Key,
    @Args(() => PageArgs) args: PageArgs,
    @Args(() => AsOfArgs) at: AsOfArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    caller.member(organizationId, id);
    return listResultsOf(ctx, info, { organizationId, memberId: id }, { ...args, ...at });
  }
}

@Resolver(() => Certification)
export class CertificationHolderResolver {
  @FieldResolver(() => OrganizationMember, {
    description: 'The member who holds the certification.',
  })
  @Scope('organization_members:read')
  organizationMember(
    @Root() {
      organizationId,
      organizationMemberId,
    }: Pick<Certification, 'organizationId' | 'organizationMemberId'>,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    caller.member(organizationId, organizationMemberId);
    return readMemberOf(ctx, info, { organizationId, id: organizationMemberId });
  }
}
