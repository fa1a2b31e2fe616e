import type { GraphQLResolveInfo } from 'graphql';
import { isManager, type Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { batch } from '../batch.js';
import type { Connection, SyncArgs } from '../connection.js';
import { readPage, readPageBelow } from '../lists.js';
import { orderOf } from '../order.js';
import { readRecord } from '../records.js';
import { selectionOf } from '../selection.js';
import { columnsFor, type Source } from '../source.js';
import { armOf, type MemberFilters, orders } from './filters.js';
import type { Member } from './type.js';

export const members: Source = {
  from: 'organization_members m',
  columns: {
    id: 'm.id',
    organizationId: 'm.organization_id',
    userId: 'm.user_id',
    email: 'm.email',
    displayName: 'm.display_name',
    firstName: 'm.first_name',
    lastName: 'm.last_name',
    role: 'm.role',
    status: 'm.status',
    isPrimary: 'm.is_primary',
    externalId: 'm.external_id',
    createdAt: 'm.created_at',
    updatedAt: 'm.updated_at',
  },
  always: ['id', 'organizationId', 'updatedAt'],
};

/** The rows of members that the caller may read: all for the organization's managers, else the caller's own. */
const readable = (membership: Membership) => ({
  'm.organization_id': membership.organizationId,
  ...(isManager(membership) ? {} : { 'm.id': membership.memberId }),
});

export function listMembers(
  ctx: Context,
  info: GraphQLResolveInfo,
  membership: Membership,
  filters: MemberFilters,
): Promise<Connection<Member>> {
  const arm = armOf(readable(membership), filters);
  return readPage(ctx, info, { name: 'members', source: members, arms: [arm], order: orderOf(orders, filters.orderBy) }, filters);
}

/** The members below an organization, as far as the caller may read them; batched. */
export const listMembersOf = (
  ctx: Context,
  info: GraphQLResolveInfo,
  membership: Membership,
  args: SyncArgs,
): Promise<Connection<Member>> => readPageBelow(ctx, info, { name: 'members', source: members, keys: readable(membership) }, args);

export const readMember = (ctx: Context, info: GraphQLResolveInfo, organizationId: string, id: string): Promise<Member> =>
  readRecord(ctx, info, members, 'm.organization_id = $1 and m.id = $2', [organizationId, id]);

export interface MemberKey {
  readonly organizationId: string;
  readonly id: string;
}

/** Joins the members of a batch, whose keys {@link pairs} has as values. */
export const pair = 'join unnest($1::uuid[], $2::uuid[]) as wanted(organization_id, id)';
export const pairs = (keys: readonly MemberKey[]) => [keys.map(({ organizationId }) => organizationId), keys.map(({ id }) => id)];

/** The member that a record belongs to; batched. */
export const readMemberOf = (ctx: Context, info: GraphQLResolveInfo, key: MemberKey): Promise<Member | undefined> =>
  batch<MemberKey, Member | undefined>(ctx, info, 'member', async (keys) => {
    const { list, from } = columnsFor(members, selectionOf(info));
    const rows = await ctx.db.query<Member>(
      `select ${list} from ${from} ${pair} on m.organization_id = wanted.organization_id and m.id = wanted.id`,
      pairs(keys),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return keys.map(({ id }) => byId.get(id));
  }).load(key);
