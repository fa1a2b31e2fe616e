import type { GraphQLResolveInfo } from 'graphql';
import { isManager, type Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { OrganizationMember } from '../../entities/member.js';
import { batch } from '../reads/batch.js';
import type { Connection, SyncArgs } from '../reads/connection.js';
import { readPage, readPageBelow } from '../reads/lists.js';
import { orderOf } from '../reads/order.js';
import { columnsFor, projectionOf } from '../reads/projection.js';
import { readRecord } from '../reads/records.js';
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
