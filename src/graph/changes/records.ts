/**
 * Reads the current state of changed records: one statement per record type on a page, with only
 * the selected columns.
 */
import type { GraphQLResolveInfo } from 'graphql';
import { isManager, type Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import type { ResourceType } from '../../entities/change-feed.js';
import { batch } from '../reads/batch.js';
import { columnsFor } from '../reads/projection.js';
import { selectionOn } from '../reads/selection.js';
import { resources } from './resources.js';
import type { Change, ChangedRow } from './type.js';

type Key = Pick<Change, 'resourceType' | 'resourceId'>;

/** The current state of the record; null when it no longer exists or the caller cannot read it. */
export const readChanged = (
  ctx: Context,
  info: GraphQLResolveInfo,
  membership: Membership,
  key: Key,
): Promise<ChangedRow | null> =>
  batch<Key, ChangedRow | null>(ctx, info, membership.organizationId, async (keys) => {
    const found = new Map<string, ChangedRow>();
    for (const [type, ofType] of Map.groupBy(keys, ({ resourceType }) => resourceType)) {
      const ids = ofType.map(({ resourceId }) => resourceId);
      for (const row of await readRows(ctx, info, membership, type, ids))
        found.set(`${type} ${row.resourceId}`, row);
    }
    return keys.map(
      ({ resourceType, resourceId }) => found.get(`${resourceType} ${resourceId}`) ?? null,
    );
  }).load({ resourceType: key.resourceType, resourceId: key.resourceId });

async function readRows(
  ctx: Context,
  info: GraphQLResolveInfo,
  membership: Membership,
  type: ResourceType,
  ids: readonly string[],
): Promise<(ChangedRow & { resourceId: string })[]> {
  const { projection, record, owner, keys, holder } = resources[type];
  const { list, from } = columnsFor(projection, selectionOn(info, record));
  const parts = keys.map((_, index) => ids.map((id) => id.split('/')[index]));
  const own = holder && !isManager(membership) ? [membership.memberId] : [];
  return ctx.db.query<ChangedRow & { resourceId: string }>(
    `select ${list}, concat_ws('/', ${keys.join(', ')}) as "resourceId", '${type}' as "resourceType" from ${from}
     join unnest(${keys.map((_, index) => `$${index + 2}::uuid[]`).join(', ')}) as given (${keys.map((_, index) => `key${index}`).join(', ')})
       on ${keys.map((key, index) => `${key} = given.key${index}`).join(' and ')}
     where ${owner} = $1${own.length > 0 ? ` and ${holder?.column} = $${keys.length + 2}` : ''}`,
    [membership.organizationId, ...parts, ...own],
  );
}
