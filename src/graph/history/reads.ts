/** Reading the history of certification records. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import type { Database } from '../../database/connection.js';
import type { Evidence, Version } from '../../entities/history.js';
import { batch } from '../batch.js';
import type { CertificationChange, HistoryArgs } from './type.js';

/** What a version keeps of a record. */
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
] as const satisfies readonly (readonly [keyof Evidence, string])[];

const columns = [
  'h.certification_id as "certificationId"',
  'h.recorded_at as "recordedAt"',
  'h.effective_on as "effectiveOn"',
  ...properties.map(([name, column]) => `h.${column} as "${name}"`),
].join(', ');

/**
 * The versions of all records that the members ever held, by record, each oldest first: what `replay` takes. One statement.
 * A record that moved to another holder comes too: its replayed evidence says whose it is.
 * @param knownAt Only versions recorded up to this instant, any RFC 3339; all when left out.
 */
export async function readVersions(
  db: Database,
  organizationId: string,
  memberIds: readonly string[],
  knownAt?: string | null,
): Promise<Version[][]> {
  const rows = await db.query<Version>(
    `select ${columns} from certification_history h
     where h.organization_id = $1 and h.recorded_at <= $3::timestamptz and h.certification_id in (
       select certification_id from certification_history where organization_id = $1 and organization_member_id = any($2::uuid[]))
     order by h.certification_id, h.recorded_at`,
    [organizationId, memberIds, knownAt ?? 'infinity'],
  );
  return [...Map.groupBy(rows, ({ certificationId }) => certificationId).values()];
}

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
  batch<RecordKey, CertificationChange[]>(ctx, info, 'history', async (keys) => {
    // One more than asked for, since a change is told by what was before it.
    const rows = await ctx.db.query<StoredChange & { parent: number }>(
      `select parent.number::int as parent, page.* from unnest($1::uuid[], $2::uuid[]) with ordinality as parent (organization_id, id, number)
       cross join lateral (
         select ${columns}, h.reason, h.user_id as "userId", h.request_id as "requestId",
           coalesce(nullif(u.display_name, ''), u.email) as "userDisplayName", a.name as "appName"
         from certification_history h left join users u on u.id = h.user_id left join apps a on a.id = h.app_id
         where h.organization_id = parent.organization_id and h.certification_id = parent.id and h.recorded_at < $3::timestamptz
         order by h.recorded_at desc limit $4) page order by parent.number, page."recordedAt" desc`,
      [keys.map(({ organizationId }) => organizationId), keys.map(({ id }) => id), before ?? 'infinity', first + 1],
    );
    const parents = Map.groupBy(rows, ({ parent }) => parent - 1);
    return keys.map((_, index) => (parents.get(index) ?? []).map(toChange).slice(0, first));
  }).load(key);

function toChange(row: StoredChange, index: number, newestFirst: StoredChange[]): CertificationChange {
  const previous = newestFirst[index + 1];
  const changes = properties
    .map(([property]) => ({ property, from: previous?.[property] ?? null, to: row[property] }))
    .filter(({ from, to }) => from !== to);
  return { ...row, changes };
}
