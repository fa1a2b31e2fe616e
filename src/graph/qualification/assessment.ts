/** What is read of members, requirements and records for the evaluator. */
import type { Context } from '../../context.js';
import type { KnownRecord } from '../../entities/evaluation/evidence.js';
import { evaluate, type Requirement, typesHeld } from '../../entities/evaluation/result.js';
import { readEvidence } from '../evaluation/evidence.js';
import type { Moment } from '../evaluation/moment.js';
import type { QualificationResult } from './type.js';

/** A result with what it follows from. */
export interface AssessedResult extends QualificationResult {
  readonly organizationId: string;
  readonly requirements: readonly Requirement[];
  /** Of the member; others than those that the requirements name may be among them. */
  readonly records: readonly KnownRecord[];
}

/** A member of an organization, whose results are asked for. */
export interface Subject {
  readonly organizationId: string;
  readonly memberId: string;
}

interface Row extends KnownRecord, Requirement {
  readonly subject: number;
  readonly qualificationId: string;
  /** Null for a qualification without requirements. */
  readonly certificationTypeId: string;
  /** Null for a requirement that no record meets. */
  readonly lifecycleStatus: KnownRecord['lifecycleStatus'];
}

/**
 * For each member (if there is one) the active qualifications that the organization can use, by id, each with its requirements in order and the records that the
 * member holds of those types: one row per qualification, requirement and record.
 * $1 organizations, $2 members, $3 after, $4 limit, $5 one qualification or null.
 */
const assessment = `
  select subject.number::int - 1 as subject, q.id as "qualificationId", r.certification_type_id as "certificationTypeId", r.is_required as "isRequired",
    c.id as "certificationId", c.lifecycle_status as "lifecycleStatus", c.verification_status as "verificationStatus", c.source, c.issued_on as "issuedOn", c.expires_on as "expiresOn"
  from unnest($1::uuid[], $2::uuid[]) with ordinality as subject(organization_id, member_id, number)
  join organization_members m on m.organization_id = subject.organization_id and m.id = subject.member_id
  cross join lateral (
    select id from (
      (select id from qualifications where organization_id = subject.organization_id and scope = 'organization' and status = 'active'
        and id > $3 and ($5::uuid is null or id = $5) order by id limit $4)
      union all
      (select id from qualifications where scope = 'standard' and status = 'active'
        and id > $3 and ($5::uuid is null or id = $5) order by id limit $4)) usable
    order by id limit $4) q
  left join qualification_requirements r on r.qualification_id = q.id
  left join certifications c on c.organization_id = subject.organization_id and c.organization_member_id = subject.member_id
    and c.certification_type_id = r.certification_type_id
  order by subject.number, q.id, r.position`;

const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Which results of each subject. */
export interface Which {
  readonly after?: string;
  readonly limit: number;
  readonly moment: Moment;
  readonly qualificationId?: string;
}

/** The results of each subject, in one statement; of a past moment with one more for each organization. */
export async function assess(
  ctx: Context,
  subjects: readonly Subject[],
  { after = beforeAll, limit, moment, qualificationId }: Which,
): Promise<AssessedResult[][]> {
  const rows = await ctx.db.query<Row>(assessment, [
    subjects.map(({ organizationId }) => organizationId),
    subjects.map(({ memberId }) => memberId),
    after,
    limit,
    qualificationId ?? null,
  ]);
  const past = moment.isPresent ? undefined : await readPast(ctx, subjects, rows, moment);
  const evaluatedAt = `${new Date().toISOString().slice(0, -1)}000Z`;
  const results: AssessedResult[][] = subjects.map(() => []);
  for (const of of runs(rows)) {
    const [{ subject, qualificationId }] = of;
    const { organizationId, memberId } = subjects[subject] as Subject;
    const byType = new Map(of.filter((row) => row.certificationTypeId !== null).map((row) => [row.certificationTypeId, row]));
    const requirements = [...byType.values()];
    const records = past ? (past.get(memberId) ?? []) : of.filter((row) => row.lifecycleStatus !== null);
    results[subject]?.push({
      ...evaluate(requirements, typesHeld(moment.day, records)),
      organizationId,
      organizationMemberId: memberId,
      qualificationId,
      asOf: moment.day,
      evaluatedAt,
      requirements,
      records,
    });
  }
  return results;
}

/** What the members held at a past moment, or what was known of it: one statement for each of their organizations. */
async function readPast(ctx: Context, subjects: readonly Subject[], rows: readonly Row[], moment: Moment) {
  const certificationTypeIds = [...new Set(rows.map((row) => row.certificationTypeId).filter((type) => type !== null))];
  const past = new Map<string, readonly KnownRecord[]>();
  for (const [organizationId, members] of Map.groupBy(subjects, (subject) => subject.organizationId)) {
    const memberIds = members.map(({ memberId }) => memberId);
    const evidence = await readEvidence(ctx, { organizationId, memberIds, certificationTypeIds }, moment);
    for (const [memberId, records] of evidence) past.set(memberId, records);
  }
  return past;
}

/** The rows of each member and qualification, which stand together. */
function runs(rows: readonly Row[]): [Row, ...Row[]][] {
  const all: [Row, ...Row[]][] = [];
  for (const row of rows) {
    const last = all.at(-1);
    if (last?.[0].subject === row.subject && last[0].qualificationId === row.qualificationId) last.push(row);
    else all.push([row]);
  }
  return all;
}
