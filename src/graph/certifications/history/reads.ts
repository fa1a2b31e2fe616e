/** Reads the history of certification records. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../../context.js';
import type { Database } from '../../../database/connection.js';
import type { LifecycleVersion, RecordState, Version } from '../../../rules/history.js';
import { batch, pin, readTogether } from '../../reads/batch.js';
import type { CertificationChange, HistoryArgs } from './type.js';

/** The record properties that a version stores. */
const properties = [
  ['organizationMemberId', 'organization_member_id'],
  ['certificationTypeId', 'certification_type_id'],
  ['source', 'source'],
  ['issuedOn', 'issued_on'],
  ['expiresOn', 'expires_on'],
  ['issuerName', 'issuer_name'],
  ['lifecycleStatus', 'lifecycle_status'],
  ['verificationStatus', 'verification_status'],
  ['verificationMethod', 'verification_method'],
] as const satisfies readonly (readonly [keyof RecordState, string])[];

const columns = [
  'h.certification_id as "certificationId"',
  'h.recorded_at as "recordedAt"',
  'h.effective_on as "effectiveOn"',
  ...properties.map(([name, column]) => `h.${column} as "${name}"`),
].join(', ');

/**
 * The versions of all records that the members ever held, per record, oldest first, as `replay`
 * expects. One statement. Includes records that moved to another holder: their replayed evidence
 * names the holder.
 * @param knownAt Only versions recorded by this instant, in any RFC 3339 form; all when omitted.
 * @param certificationTypeIds Only records that ever had these types; all when omitted.
 */
export async function readVersions(
  db: Database,
  organizationId: string,
  memberIds: readonly string[],
  knownAt?: string | null,
  certificationTypeIds?: readonly string[],
): Promise<Version[][]> {
  const rows = await db.query<Version>(
    `select ${columns} from certification_history h
     where h.organization_id = $1 and h.recorded_at <= $3::timestamptz and h.certification_id in (
       select certification_id from certification_history where organization_id = $1 and organization_member_id = any($2::uuid[])
         and ($4::uuid[] is null or certification_type_id = any($4)))
     order by h.certification_id, h.recorded_at`,
    [organizationId, memberIds, knownAt ?? 'infinity', certificationTypeIds ?? null],
  );
  return [...Map.groupBy(rows, ({ certificationId }) => certificationId).values()];
}

interface Records {
  readonly organizationId: string;
  readonly ids: readonly string[];
}

/** Lifecycle versions by record id, oldest first. */
export type Lifecycles = ReadonlyMap<string, readonly LifecycleVersion[]>;

/**
 * The lifecycles of records as known at an instant. Batched over all results; results of one batch
 * stay in the same later batches.
 * @param knownAt Any RFC 3339 date-time; null for current knowledge.
 */
export const readLifecycles = (
  ctx: Context,
  info: GraphQLResolveInfo,
  records: Records,
  knownAt: string | null,
): Promise<Lifecycles> =>
  batch<Records, Lifecycles>(ctx, info, `lifecycles ${knownAt}`, async (keys) => {
    const asked = new Map(
      keys.flatMap(({ organizationId, ids }) =>
        ids.map((id) => [`${organizationId} ${id}`, { organizationId, id }] as const),
      ),
    );
    const wanted = [...asked.values()];
    if (wanted.length === 0) return keys.map(() => new Map());
    const rows = await readTogether(ctx.db, wanted, organizationOf, async (each, id) => {
      const found = await readLifecycleRows(ctx, each, knownAt, id);
      // The rows of all records, which are grouped below.
      return each.map((_, index) => (index === 0 ? found : []));
    }).then((found) => found.flat());
    const organizations = Map.groupBy(rows, ({ organizationId }) => organizationId);
    const lifecycles = new Map(
      [...organizations].map(([organizationId, of]) => [
        organizationId,
        Map.groupBy(of, ({ id }) => id),
      ]),
    );
    return keys.map(({ organizationId }) => lifecycles.get(organizationId) ?? new Map());
  }).load(records);

interface LifecycleRow extends LifecycleVersion {
  readonly organizationId: string;
  readonly id: string;
}

function readLifecycleRows(
  ctx: Context,
  records: readonly RecordKey[],
  knownAt: string | null,
  organizationId: string | undefined,
): Promise<LifecycleRow[]> {
  const values: unknown[] = [
    records.map((record) => record.organizationId),
    records.map(({ id }) => id),
    knownAt ?? 'infinity',
  ];
  const pinned = pin('h.organization_id', values, organizationId);
  return ctx.db.query<LifecycleRow>(
    `select h.organization_id as "organizationId", h.certification_id as id, h.lifecycle_status as "lifecycleStatus", h.effective_on as "effectiveOn"
     from certification_history h
     join unnest($1::uuid[], $2::uuid[]) as asked(organization_id, id) on h.organization_id = asked.organization_id and h.certification_id = asked.id
     where h.recorded_at <= $3::timestamptz${pinned} order by h.certification_id, h.recorded_at`,
    values,
  );
}

const organizationOf = ({ organizationId }: RecordKey): string => organizationId;

type StoredChange = Version & Omit<CertificationChange, 'changes'>;

interface RecordKey {
  readonly organizationId: string;
  readonly id: string;
}

/** The changes of a record, newest first; batched. */
export const listHistory = (
  ctx: Context,
  info: GraphQLResolveInfo,
  key: RecordKey,
  { first, before }: HistoryArgs,
): Promise<CertificationChange[]> =>
  batch<RecordKey, CertificationChange[]>(ctx, info, 'history', (all) =>
    readTogether(ctx.db, all, organizationOf, async (keys, organizationId) => {
      // One more than requested, because a change is computed from the previous version.
      const values: unknown[] = [
        keys.map((record) => record.organizationId),
        keys.map(({ id }) => id),
        before ?? 'infinity',
        first + 1,
      ];
      const pinned = pin('h.organization_id', values, organizationId);
      const rows = await ctx.db.query<StoredChange & { parent: number }>(
        `select parent.number::int as parent, page.* from unnest($1::uuid[], $2::uuid[]) with ordinality as parent (organization_id, id, number)
         cross join lateral (
           select ${columns}, h.reason, h.user_id as "userId", h.request_id as "requestId",
             coalesce(nullif(u.display_name, ''), u.email) as "userDisplayName", a.name as "appName"
           from certification_history h left join users u on u.id = h.user_id left join apps a on a.id = h.app_id
           where h.organization_id = parent.organization_id and h.certification_id = parent.id and h.recorded_at < $3::timestamptz${pinned}
           order by h.recorded_at desc limit $4) page order by parent.number, page."recordedAt" desc`,
        values,
      );
      const parents = Map.groupBy(rows, ({ parent }) => parent - 1);
      return keys.map((_, index) => (parents.get(index) ?? []).map(toChange).slice(0, first));
    }),
  ).load(key);

function toChange(
  row: StoredChange,
  index: number,
  newestFirst: StoredChange[],
): CertificationChange {
  const previous = newestFirst[index + 1];
  const changes = properties
    .map(([property]) => ({ property, from: previous?.[property] ?? null, to: row[property] }))
    .filter(({ from, to }) => from !== to);
  return { ...row, changes };
}
