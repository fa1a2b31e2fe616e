import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Info, Mutation, Query, Resolver } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { CertificationType, JobRole } from '../../entities/definition.js';
import { UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { SyncArgs } from '../reads/connection.js';
import { listDefinitions, readDefinition } from './reads.js';
import { createDefinition } from './service.js';
import {
  CertificationTypeConnection,
  CertificationTypeCreate,
  JobRoleConnection,
  JobRoleCreate,
} from './type.js';

const organization = {
  description: 'The id of the organization whose own and standard definitions are visible.',
};
const optionalOrganization = {
  nullable: true,
  description:
    'The organization whose own and standard definitions are visible. When omitted, all definitions that the caller can read.',
};
const owner = { description: 'The id of the organization that owns the definition.' };

@Resolver(() => CertificationType)
export class CertificationTypeResolver {
  @Query(() => CertificationTypeConnection, {
    description: 'Lists the certification types that an organization can use, oldest change first.',
  })
  @Scope('certification_types:read')
  certificationTypes(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Args(() => SyncArgs) args: SyncArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listDefinitions(ctx, info, 'certificationTypes', caller, { organizationId }, args);
  }

  @Query(() => CertificationType, { description: 'Returns a certification type.' })
  @Scope('certification_types:read')
  certificationType(
    @Arg('id', () => UUID, { description: 'The id of the certification type.' }) id: string,
    @Arg('organizationId', () => UUID, optionalOrganization) organizationId: string | undefined,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return readDefinition(ctx, info, 'certificationTypes', caller, id, organizationId);
  }

  @Mutation(() => CertificationType, {
    description:
      'Creates a certification type of an organization. Requires the `admin` or `manager` role.',
  })
  @Scope('certification_types:write')
  createCertificationType(
    @Arg('organizationId', () => UUID, owner) organizationId: string,
    @Arg('input', () => CertificationTypeCreate, { description: 'The new certification type.' })
    input: CertificationTypeCreate,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return createDefinition(ctx, info, 'certificationTypes', caller.managed(organizationId), input);
  }
}

@Resolver(() => JobRole)
export class JobRoleResolver {
  @Query(() => JobRoleConnection, {
    description: 'Lists the job roles that an organization can use, oldest change first.',
  })
  @Scope('job_roles:read')
  jobRoles(
    @Arg('organizationId', () => UUID, organization) organizationId: string,
    @Args(() => SyncArgs) args: SyncArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listDefinitions(ctx, info, 'jobRoles', caller, { organizationId }, args);
  }

  @Mutation(() => JobRole, {
    description: 'Creates a job role of an organization. Requires the `admin` or `manager` role.',
  })
  @Scope('job_roles:write')
  createJobRole(
    @Arg('organizationId', () => UUID, owner) organizationId: string,
    @Arg('input', () => JobRoleCreate, { description: 'The new job role.' }) input: JobRoleCreate,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return createDefinition(ctx, info, 'jobRoles', caller.managed(organizationId), input);
  }
}
