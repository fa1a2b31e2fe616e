import type { GraphQLResolveInfo } from 'graphql';
import { isManager, type Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { OrganizationMember } from '../../entities/member.js';
import { invalid } from '../../errors.js';
import { batch } from '../reads/batch.js';
import type { Connection, SyncArgs } from '../reads/connection.js';
import { readPage, readPageBelow } from '../reads/lists.js';
import { orderOf } from '../reads/order.js';
import { columnsFor, projectionOf } from '../reads/projection.js';
import { findRecord, readRecord } from '../reads/records.js';
import { selectionOf } from '../reads/selection.js';
import { branchOf, type MemberFilters, orders } from './filters.js';

export const members = projectionOf(OrganizationMember, 'm', {
  always: ['id', 'organizationId', 'updatedAt'],
});

/**
 * The members that the caller can read: all for managers, otherwise the caller's own membership.
 */
const readable = (membership: Membership) => ({
  'm.organization_id': membership.organizationId,
  ...(isManager(membership) ? {} : { 'm.id': membership.memberId }),
});

export function listMembers(
  ctx: Context,
  info: GraphQLResolveInfo,
  membership: Membership,
  filters: MemberFilters,
): Promise<Connection<OrganizationMember>> {
  const pinned = ctx.db.isDistributed ? membership.organizationId : undefined;
  const branch = branchOf(readable(membership), filters, pinned);
  return readPage(
    ctx,
    info,
    {
      name: 'members',
      projection: members,
      branches: [branch],
      order: orderOf(orders, filters.orderBy),
    },
    filters,
  );
}

/** The members of an organization that the caller can read; batched. */
export const listMembersOf = (
  ctx: Context,
  info: GraphQLResolveInfo,
  membership: Membership,
  args: SyncArgs,
): Promise<Connection<OrganizationMember>> =>
  readPageBelow(
    ctx,
    info,
    { name: 'members', projection: members, keys: readable(membership) },
    args,
  );

export const readMember = (
  ctx: Context,
  info: GraphQLResolveInfo,
  organizationId: string,
  id: string,
): Promise<OrganizationMember> =>
  readRecord(ctx, info, members, 'm.organization_id = $1 and m.id = $2', [organizationId, id]);

/** The keys of a member in an organization, besides the id: SQL conditions that an index serves. */
const keyConditions = {
  id: 'm.id = $2',
  // The second condition is that of the index.
  externalId: "m.external_id = $2 and m.external_id <> ''",
  email: 'lower(m.email) = lower($2)',
};
const keyNames = Object.keys(keyConditions) as (keyof typeof keyConditions)[];

/** One key of a member: the others are null or undefined. */
export type MemberLookup = Readonly<
  Partial<Record<keyof typeof keyConditions, string | null | undefined>>
>;

/**
 * The member with a key, if the caller can read it.
 * @throws {ApiError} `validation_error` unless there is exactly one key.
 */
export async function findMember(
  ctx: Context,
  info: GraphQLResolveInfo,
  membership: Membership,
  lookup: MemberLookup,
): Promise<OrganizationMember | undefined> {
  const [name, ...more] = keyNames.filter((each) => typeof lookup[each] === 'string');
  if (!name) throw invalid({ id: ['is required, unless externalId or email is given'] });
  if (more.length > 0) {
    const problem = 'must be the only key: give one of id, externalId and email';
    throw invalid(Object.fromEntries([name, ...more].map((each) => [each, [problem]])));
  }
  const own = isManager(membership) ? [] : [membership.memberId];
  const where = `m.organization_id = $1 and ${keyConditions[name]}${own.length > 0 ? ' and m.id = $3' : ''}`;
  const values = [membership.organizationId, lookup[name], ...own];
  return findRecord(ctx, info, members, where, values);
}

export interface MemberKey {
  readonly organizationId: string;
  readonly id: string;
}

/** Joins the members of a batch. The values are the keys from {@link pairs}. */
export const pair = 'join unnest($1::uuid[], $2::uuid[]) as wanted(organization_id, id)';
export const pairs = (keys: readonly MemberKey[]) => [
  keys.map(({ organizationId }) => organizationId),
  keys.map(({ id }) => id),
];

/** The member that a record belongs to; batched. */
export const readMemberOf = (
  ctx: Context,
  info: GraphQLResolveInfo,
  key: MemberKey,
): Promise<OrganizationMember | undefined> =>
  batch<MemberKey, OrganizationMember | undefined>(ctx, info, 'member', async (keys) => {
    const { list, from } = columnsFor(members, selectionOf(info));
    const rows = await ctx.db.query<OrganizationMember>(
      `select ${list} from ${from} ${pair} on m.organization_id = wanted.organization_id and m.id = wanted.id`,
      pairs(keys),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return keys.map(({ id }) => byId.get(id));
  }).load(key);
