import type { GraphQLResolveInfo } from 'graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Organization } from '../../entities/organization.js';
import { batch } from '../batch.js';
import type { Connection, SyncArgs } from '../connection.js';
import { readPage } from '../lists.js';
import { readRecord } from '../records.js';
import { selectionOf } from '../selection.js';
import { columnsFor, sourceOf } from '../source.js';

const below = Object.fromEntries(
  ['members', 'certifications', 'certificationTypes', 'qualifications', 'jobRoles'].map((field) => [
    field,
    ['id'],
  ]),
);

export const organizations = sourceOf(Organization, 'o', {
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
  const arms = organizationIds.map((id) => ({ equals: { 'o.id': id } }));
  const clocks = organizationIds.length > 1 ? { clocks: { organizationIds } } : {};
  const identity = [caller.principal.userId];
  return readPage(
    ctx,
    info,
    { name: 'organizations', source: organizations, arms, identity, ...clocks },
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
