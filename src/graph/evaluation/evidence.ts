/** What members hold, as the evaluator takes it: each in one statement, whatever the number of members. */
import type { Context } from '../../context.js';
import type { KnownRecord } from '../../entities/evaluation/evidence.js';
import { replay } from '../../entities/history.js';
import { readVersions } from '../history/reads.js';
import type { Moment } from './moment.js';

export interface Wanted {
  readonly organizationId: string;
  readonly memberIds: readonly string[];
  readonly certificationTypeIds: readonly string[];
}

/** The records of each member, by the member's id; members without any are left out. */
export type Evidence = ReadonlyMap<string, readonly KnownRecord[]>;

export const readEvidence = (ctx: Context, wanted: Wanted, moment: Moment): Promise<Evidence> =>
  moment.isPresent ? readPresent(ctx, wanted) : readPast(ctx, wanted, moment);

const present = `
  select c.organization_member_id as "memberId", c.id as "certificationId", c.certification_type_id as "certificationTypeId",
    c.lifecycle_status as "lifecycleStatus", c.verification_status as "verificationStatus", c.source, c.issued_on as "issuedOn", c.expires_on as "expiresOn"
  from certifications c
  where c.organization_id = $1 and c.organization_member_id = any($2::uuid[]) and c.certification_type_id = any($3::uuid[])`;

async function readPresent(ctx: Context, { organizationId, memberIds, certificationTypeIds }: Wanted): Promise<Evidence> {
  const rows = await ctx.db.query<KnownRecord & { memberId: string }>(present, [organizationId, memberIds, certificationTypeIds]);
  return Map.groupBy(rows, ({ memberId }) => memberId);
}

async function readPast(
  ctx: Context,
  { organizationId, memberIds, certificationTypeIds }: Wanted,
  { day, knownAt }: Moment,
): Promise<Evidence> {
  const types = new Set(certificationTypeIds);
  const versions = await readVersions(ctx.db, organizationId, memberIds, knownAt);
  const records = versions.flatMap((each) => replay(each, day) ?? []).filter((record) => types.has(record.certificationTypeId));
  return Map.groupBy(records, ({ organizationMemberId }) => organizationMemberId);
}
