import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../auth/policy.js';
import type { Context } from '../context.js';
import { Organization } from '../entities/organization.js';
import { UUID } from '../scalars/scalars.js';
import { Caller, Scope } from './access.js';
import { listCertificationsOf } from './certifications/reads.js';
import { CertificationConnection } from './certifications/type.js';
import { OfMemberships } from './cost/plan.js';
import { listDefinitionsOf } from './definitions/reads.js';
import {
  CertificationTypeConnection,
  JobRoleConnection,
  QualificationConnection,
} from './definitions/type.js';
import { listMembersOf } from './members/reads.js';
import { MemberConnection } from './members/type.js';
import { batch } from './reads/batch.js';
import { type Connection, connectionOf, SyncArgs } from './reads/connection.js';
import { readPage } from './reads/lists.js';
import { columnsFor, projectionOf } from './reads/projection.js';
import { readRecord } from './reads/records.js';
import { selectionOf } from './reads/selection.js';

const below = Object.fromEntries(
  ['members', 'certifications', 'certificationTypes', 'qualifications', 'jobRoles'].map((field) => [
    field,
    ['id'],
  ]),
);

export const organizations = projectionOf(Organization, 'o', {
  derived: below,
  always: ['id', 'updatedAt'],
});

/** The caller's organizations that approved the app. */
export function listOrganizations(
  ctx: Context,
  info: GraphQLResolveInfo,
  caller: Access,
  args: SyncArgs,
): Promise<Connection<Organization>> {
  const organizationIds = caller.organizations().map(({ organizationId }) => organizationId);
  const branches = organizationIds.map((id) => ({ equals: { 'o.id': id } }));
  const clocks = organizationIds.length > 1 ? { clocks: { organizationIds } } : {};
  const identity = [caller.principal.userId];
  return readPage(
    ctx,
    info,
    { name: 'organizations', projection: organizations, branches, identity, ...clocks },
    args,
  );
}

export const readOrganization = (
  ctx: Context,
  info: GraphQLResolveInfo,
  id: string,
): Promise<Organization> => readRecord(ctx, info, organizations, 'o.id = $1', [id]);

/** The organization that a record belongs to; batched. */
export const readOrganizationOf = (
  ctx: Context,
  info: GraphQLResolveInfo,
  id: string,
): Promise<Organization | undefined> =>
  batch<string, Organization | undefined>(ctx, info, 'organization', async (ids) => {
    const { list, from } = columnsFor(organizations, selectionOf(info));
    const rows = await ctx.db.query<Organization>(
      `select ${list} from ${from} where o.id = any($1)`,
      [ids],
    );
    return ids.map((each) => rows.find((row) => row.id === each));
  }).load(id);

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
