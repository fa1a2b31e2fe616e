/** Reads the current state of changed records, with only the selected columns. */
import type { Database } from '../../database/connection.js';
import type { ResourceType } from '../../entities/change-feed.js';
import { resources } from './resources.js';
import type { ChangedRow } from './type.js';

export type ChangedRecords = readonly (ChangedRow & { readonly resourceId: string })[];

/** Current states of records of one type, as one viewer may read them. */
export interface RecordRequest {
  readonly organizationId: string;
  readonly type: ResourceType;
  /** The selected columns and the source, SQL. */
  readonly list: string;
  readonly from: string;
  readonly ids: readonly string[];
  /** The member who reads only their own; null where the viewer reads all. */
  readonly memberId: string | null;
}

/**
 * @returns The records of each request. Requests for the same columns share a statement, which
 * checks each record for each viewer.
 */
export async function readRecords(
  db: Database,
  requests: readonly RecordRequest[],
): Promise<ChangedRecords[]> {
  const found = new Map<RecordRequest, ChangedRecords>();
  const groups = Map.groupBy(requests, ({ organizationId, type, list, from }) =>
    JSON.stringify([organizationId, type, list, from]),
  );
  await Promise.all(
    [...groups.values()].map(async (group) => {
      const rows = Map.groupBy(await readGroup(db, group), ({ viewer }) => viewer);
      for (const request of group) {
        const wanted = new Set(request.ids);
        const own = rows.get(request.memberId) ?? [];
        found.set(
          request,
          own
            .filter(({ resourceId }) => wanted.has(resourceId))
            .map(({ viewer: _, ...row }) => row),
        );
      }
    }),
  );
  return requests.map((request) => found.get(request) ?? []);
}

type ViewedRow = ChangedRow & { readonly resourceId: string; readonly viewer: string | null };

function readGroup(db: Database, group: readonly RecordRequest[]): Promise<ViewedRow[]> {
  const [{ organizationId, type, list, from }] = group as [RecordRequest];
  const { owner, keys, holder } = resources[type];
  const pairs = new Map<string, readonly [id: string, viewer: string | null]>();
  for (const { ids, memberId } of group)
    for (const id of ids) pairs.set(`${id} ${memberId}`, [id, memberId]);
  const all = [...pairs.values()];
  const parts = keys.map((_, index) => all.map(([id]) => id.split('/')[index]));
  const own = holder ? ` and (given.viewer is null or ${holder.column} = given.viewer)` : '';
  return db.query<ViewedRow>(
    `select ${list}, concat_ws('/', ${keys.join(', ')}) as "resourceId", '${type}' as "resourceType", given.viewer from ${from}
     join unnest($2::uuid[], ${keys.map((_, index) => `$${index + 3}::uuid[]`).join(', ')}) as given (viewer, ${keys.map((_, index) => `key${index}`).join(', ')})
       on ${keys.map((key, index) => `${key} = given.key${index}`).join(' and ')}
     where ${owner} = $1${own}`,
    [organizationId, all.map(([, viewer]) => viewer), ...parts],
  );
}
