/** The current state of changed records: one read per record type on a page. */
import type { GraphQLResolveInfo } from 'graphql';
import { isManager, type Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import type { ResourceType } from '../../entities/change-feed.js';
import { batch } from '../reads/batch.js';
import { columnsFor } from '../reads/projection.js';
import { selectionOn } from '../reads/selection.js';
import type { RecordRequest } from './current-records.js';
import { resources } from './resources.js';
import { changeReadsOf } from './shared-reads.js';
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
    const reads = changeReadsOf(ctx);
    const groups = [...Map.groupBy(keys, ({ resourceType }) => resourceType)];
    await Promise.all(
      groups.map(async ([type, ofType]) => {
        const request = requestFor(info, membership, type, ofType);
        for (const row of await reads.records(request)) found.set(`${type} ${row.resourceId}`, row);
      }),
    );
    return keys.map(
      ({ resourceType, resourceId }) => found.get(`${resourceType} ${resourceId}`) ?? null,
    );
  }).load({ resourceType: key.resourceType, resourceId: key.resourceId });

function requestFor(
  info: GraphQLResolveInfo,
  membership: Membership,
  type: ResourceType,
  keys: readonly Key[],
): RecordRequest {
  const { projection, record, holder } = resources[type];
  const { list, from } = columnsFor(projection, selectionOn(info, record));
  return {
    organizationId: membership.organizationId,
    type,
    list,
    from,
    ids: keys.map(({ resourceId }) => resourceId),
    memberId: holder && !isManager(membership) ? membership.memberId : null,
  };
}
