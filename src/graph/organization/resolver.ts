import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Organization } from '../../entities/organization.js';
import { UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { listCertificationsOf } from '../certification/reads.js';
import { CertificationConnection } from '../certification/type.js';
import { connectionOf, SyncArgs } from '../connection.js';
import { OfMemberships } from '../cost/plan.js';
import { listDefinitionsOf } from '../definition/reads.js';
import {
  CertificationTypeConnection,
  JobRoleConnection,
  QualificationConnection,
} from '../definition/type.js';
import { listMembersOf } from '../member/reads.js';
import { MemberConnection } from '../member/type.js';
import { listOrganizations, readOrganization } from './reads.js';

const OrganizationConnection = connectionOf(Organization, 'Organization');

@Resolver(() => Organization)
export class OrganizationResolver {
  @OfMemberships()
  @Query(() => OrganizationConnection, {
    description:
      'Lists the organizations that the caller can access through this app, oldest change first.',
  })
  @Scope('organizations:read')
  organizations(
    @Args(() => SyncArgs) args: SyncArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listOrganizations(ctx, info, caller, args);
  }

  @Query(() => Organization, { description: 'Returns an organization.' })
  @Scope('organizations:read')
  organization(
    @Arg('id', () => UUID, { description: 'The id of the organization.' }) id: string,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readOrganization(ctx, info, caller.organization(id).organizationId);
  }

  @FieldResolver(() => MemberConnection, {
    description:
      'The members of the organization. Members without the `admin` or `manager` role see only themselves.',
  })
  @Scope('organization_members:read')
  members(
    @Root() { id }: { id: string },
    @Args(() => SyncArgs) args: SyncArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listMembersOf(ctx, info, caller.organization(id), args);
  }

  @FieldResolver(() => CertificationConnection, {
    description:
      'The certification records of the organization. Members without the `admin` or `manager` role see only their own records.',
  })
  @Scope('certification_records:read')
  certifications(
    @Root() { id }: { id: string },
    @Args(() => SyncArgs) args: SyncArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listCertificationsOf(ctx, info, caller.organization(id), args);
  }

  @FieldResolver(() => CertificationTypeConnection, {
    description: 'The certification types that the organization owns.',
  })
  @Scope('certification_types:read')
  certificationTypes(
    @Root() { id }: { id: string },
    @Args(() => SyncArgs) args: SyncArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listDefinitionsOf(
      ctx,
      info,
      'certificationTypes',
      caller.organization(id).organizationId,
      args,
    );
  }

  @FieldResolver(() => QualificationConnection, {
    description: 'The qualifications that the organization owns.',
  })
  @Scope('qualifications:read')
  qualifications(
    @Root() { id }: { id: string },
    @Args(() => SyncArgs) args: SyncArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listDefinitionsOf(
      ctx,
      info,
      'qualifications',
      caller.organization(id).organizationId,
      args,
    );
  }

  @FieldResolver(() => JobRoleConnection, {
    description: 'The job roles that the organization owns.',
  })
  @Scope('job_roles:read')
  jobRoles(
    @Root() { id }: { id: string },
    @Args(() => SyncArgs) args: SyncArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listDefinitionsOf(ctx, info, 'jobRoles', caller.organization(id).organizationId, args);
  }
}
