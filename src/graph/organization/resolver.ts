import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Caller, Scope } from '../access.js';
import { listCertificationsOf } from '../certification/reads.js';
import { CertificationConnection } from '../certification/type.js';
import { SyncArgs } from '../connection.js';
import { listDefinitionsOf } from '../definition/reads.js';
import { CertificationTypeConnection, JobRoleConnection, QualificationConnection } from '../definition/type.js';
import { listMembersOf } from '../member/reads.js';
import { MemberConnection } from '../member/type.js';
import { UUID } from '../scalars.js';
import { listOrganizations, readOrganization } from './reads.js';
import { Organization, OrganizationConnection } from './type.js';

@Resolver(() => Organization)
export class OrganizationResolver {
  @Query(() => OrganizationConnection, { description: 'The organizations that you reach through this app, oldest change first.' })
  @Scope('organizations:read')
  organizations(@Args(() => SyncArgs) args: SyncArgs, @Caller() caller: Access, @Ctx() ctx: Context, @Info() info: GraphQLResolveInfo) {
    return listOrganizations(ctx, info, caller, args);
  }

  @Query(() => Organization, { description: 'One organization.' })
  @Scope('organizations:read')
  organization(
    @Arg('id', () => UUID, { description: 'The id of the organization.' }) id: string,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readOrganization(ctx, info, caller.organization(id).organizationId);
  }

  @FieldResolver(() => MemberConnection, { description: 'The members. Without the role admin or manager: yourself.' })
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

  @FieldResolver(() => CertificationConnection, { description: 'The certification records. Without the role admin or manager: your own.' })
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

  @FieldResolver(() => CertificationTypeConnection, { description: 'The certification types that the organization owns.' })
  @Scope('certification_types:read')
  certificationTypes(
    @Root() { id }: { id: string },
    @Args(() => SyncArgs) args: SyncArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listDefinitionsOf(ctx, info, 'certificationTypes', caller.organization(id).organizationId, args);
  }

  @FieldResolver(() => QualificationConnection, { description: 'The qualifications that the organization owns.' })
  @Scope('qualifications:read')
  qualifications(
    @Root() { id }: { id: string },
    @Args(() => SyncArgs) args: SyncArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listDefinitionsOf(ctx, info, 'qualifications', caller.organization(id).organizationId, args);
  }

  @FieldResolver(() => JobRoleConnection, { description: 'The job roles that the organization owns.' })
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
