/** Reads the records of members for the evaluator, in one statement for any number of members. */
import type { Context } from '../../context.js';
import type { KnownRecord } from '../../rules/evaluation/evidence.js';
import { activeDays, replay } from '../../rules/history.js';
import { readVersions } from '../certifications/history/reads.js';
import type { AsOf } from './as-of.js';
import type { Range } from './definitions.js';
import { onRoster } from './roster.js';

export interface Wanted {
  readonly organizationId: string;
  readonly memberIds: readonly string[];
  readonly certificationTypeIds: readonly string[];
}

/** Records by member id. Members without records have no entry. */
export type EvidenceByMember = ReadonlyMap<string, readonly KnownRecord[]>;

export const readEvidence = (ctx: Context, wanted: Wanted, at: AsOf): Promise<EvidenceByMember> =>
  at.isPresent ? readPresent(ctx, wanted) : readPast(ctx, wanted, at);

/** SQL condition: a certification counts on the days of its dates, as in `spanOf`. */
const isSound = (record: string): string => `
  ${record}.lifecycle_status = 'active'
  and case ${record}.source when 'self-reported' then ${record}.verification_status = 'verified' else ${record}.verification_status <> 'failed' end`;

/** SQL condition: a certification counts on a day. The equivalent of `countsOn`. */
export const countsOnDay = (record: string, day: string): string => `
  ${isSound(record)} and (${record}.issued_on is null or ${record}.issued_on <= ${day})
  and (${record}.expires_on >= ${day} or ${record}.expires_on is null and ${record}.issued_on is not null)`;

const records = `
  select c.organization_member_id as "memberId", c.id as "certificationId", c.certification_type_id as "certificationTypeId",
    c.lifecycle_status as "lifecycleStatus", c.verification_status as "verificationStatus", c.source, c.issued_on as "issuedOn", c.expires_on as "expiresOn"
  from certifications c`;

const present = `${records}
  where c.organization_id = $1 and c.organization_member_id = any($2::uuid[]) and c.certification_type_id = any($3::uuid[])`;

async function readPresent(
  ctx: Context,
  { organizationId, memberIds, certificationTypeIds }: Wanted,
): Promise<EvidenceByMember> {
  const rows = await ctx.db.query<KnownRecord & { memberId: string }>(present, [
    organizationId,
    memberIds,
    certificationTypeIds,
  ]);
  return Map.groupBy(rows, ({ memberId }) => memberId);
}

async function readPast(
  ctx: Context,
  { organizationId, memberIds, certificationTypeIds }: Wanted,
  { day, knownAt }: AsOf,
): Promise<EvidenceByMember> {
  const types = new Set(certificationTypeIds);
  const members = new Set(memberIds);
  const versions = await readVersions(
    ctx.db,
    organizationId,
    memberIds,
    knownAt,
    certificationTypeIds,
  );
  const records = versions.flatMap((each) => {
    const evidence = replay(each, day);
    return evidence ? [{ ...evidence, activeDays: activeDays(each) }] : [];
  });
  const wanted = records.filter(
    (record) => types.has(record.certificationTypeId) && members.has(record.organizationMemberId),
  );
  return Map.groupBy(wanted, ({ organizationMemberId }) => organizationMemberId);
}

/**
 * $1 organization, $2 job role or null, $3 relevant types, $4 day, $5 days. A qualification is lost
 * on the day after a sound record ends. The index stores infinity for a record without a last day.
 */
const lapsing = `${records}
  where c.organization_id = $1 and c.certification_type_id = any($3::uuid[]) and ${isSound('c')} and c.organization_member_id in (
    select m.id from certifications e join organization_members m on m.organization_id = $1 and m.id = e.organization_member_id and ${onRoster('$2')}
    where e.organization_id = $1 and e.certification_type_id = any($3::uuid[]) and ${isSound('e')}
      and coalesce(e.expires_on, 'infinity') >= $4::date and coalesce(e.expires_on, 'infinity') < $4::date + $5::int)
  order by c.id`;

/**
 * For the current state: the records of roster members who could lose a qualification within a
 * number of days.
 */
export async function readLapsing(
  ctx: Context,
  { organizationId, jobRoleId }: Range,
  certificationTypeIds: readonly string[],
  { day }: AsOf,
  days: number,
): Promise<EvidenceByMember> {
  const rows = await ctx.db.query<KnownRecord & { memberId: string }>(lapsing, [
    organizationId,
    jobRoleId ?? null,
    certificationTypeIds,
    day,
    days,
  ]);
  return Map.groupBy(rows, ({ memberId }) => memberId);
}
