/** Reads results with the requirements and records that determine them. */
import type { Context } from '../../context.js';
import type { KnownRecord } from '../../rules/evaluation/evidence.js';
import {
  evaluate,
  type Requirement,
  requiredTypes,
  typesHeld,
} from '../../rules/evaluation/result.js';
import type { AsOf } from '../evaluation/as-of.js';
import { readEvidence } from '../evaluation/evidence.js';
import { readTogether } from '../reads/batch.js';
import {
  evaluatedNow,
  organizationOf,
  type Subject,
  subjects,
  valuesOf,
  type Which,
} from './subjects.js';
import type { QualificationResult } from './type.js';

/** A result with its requirements and records. */
export interface AssessedResult extends QualificationResult {
  readonly organizationId: string;
  readonly at: AsOf;
  readonly requirements: readonly Requirement[];
  /** Records of the member. May include records that no requirement concerns. */
  readonly records: readonly KnownRecord[];
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
 * One row for each qualification, requirement (in order) and record that the member holds of its
 * type. Values as for {@link subjects}.
 */
const assessment = (pinned: string): string => `
  select subject.number::int - 1 as subject, q.id as "qualificationId", r.certification_type_id as "certificationTypeId", r.is_required as "isRequired",
    c.id as "certificationId", c.lifecycle_status as "lifecycleStatus", c.verification_status as "verificationStatus", c.source, c.issued_on as "issuedOn", c.expires_on as "expiresOn"
  from ${subjects}
  left join qualification_requirements r on r.qualification_id = q.id
  left join certifications c on c.organization_id = subject.organization_id and c.organization_member_id = subject.member_id${pinned}
    and c.certification_type_id = r.certification_type_id
  order by subject.number, q.id, r.position`;

const assessmentOfAll = assessment('');
const assessmentOfOne = assessment(' and c.organization_id = $6::uuid');

/** The results of each subject in one statement; for a past state, one more per organization. */
export const assess = (
  ctx: Context,
  of: readonly Subject[],
  which: Which,
): Promise<readonly AssessedResult[][]> =>
  readTogether(ctx.db, of, organizationOf, (each, organizationId) =>
    assessTogether(ctx, each, which, organizationId),
  );

async function assessTogether(
  ctx: Context,
  of: readonly Subject[],
  which: Which,
  organizationId: string | undefined,
): Promise<AssessedResult[][]> {
  const { at } = which;
  const values = valuesOf(of, which);
  const rows = await (organizationId
    ? ctx.db.query<Row>(assessmentOfOne, [...values, organizationId])
    : ctx.db.query<Row>(assessmentOfAll, values));
  const past = at.isPresent ? undefined : await readPast(ctx, of, rows, at);
  const evaluatedAt = evaluatedNow();
  const results: AssessedResult[][] = of.map(() => []);
  for (const run of runs(rows)) {
    const [{ subject, qualificationId }] = run;
    const { organizationId, memberId } = of[subject] as Subject;
    const byType = new Map(
      run
        .filter((row) => row.certificationTypeId !== null)
        .map((row) => [row.certificationTypeId, row]),
    );
    const requirements = [...byType.values()];
    const records = past
      ? (past.get(keyOf({ organizationId, memberId })) ?? [])
      : run.filter((row) => row.lifecycleStatus !== null);
    results[subject]?.push({
      ...evaluate(requiredTypes(requirements), typesHeld(at.day, records)),
      organizationId,
      organizationMemberId: memberId,
      qualificationId,
      asOf: at.day,
      at,
      evaluatedAt,
      requirements,
      records,
    });
  }
  return results;
}

const keyOf = ({ organizationId, memberId }: Subject): string => `${organizationId} ${memberId}`;

/** The records of members in a past state, one statement per organization. */
async function readPast(ctx: Context, of: readonly Subject[], rows: readonly Row[], at: AsOf) {
  const certificationTypeIds = [
    ...new Set(rows.map((row) => row.certificationTypeId).filter((type) => type !== null)),
  ];
  const past = new Map<string, readonly KnownRecord[]>();
  for (const [organizationId, members] of Map.groupBy(of, (subject) => subject.organizationId)) {
    const memberIds = members.map(({ memberId }) => memberId);
    const evidence = await readEvidence(
      ctx,
      { organizationId, memberIds, certificationTypeIds },
      at,
    );
    for (const [memberId, records] of evidence)
      past.set(keyOf({ organizationId, memberId }), records);
  }
  return past;
}

/** Groups the rows by member and qualification, which are adjacent. */
function runs(rows: readonly Row[]): [Row, ...Row[]][] {
  const all: [Row, ...Row[]][] = [];
  for (const row of rows) {
    const last = all.at(-1);
    if (last?.[0].subject === row.subject && last[0].qualificationId === row.qualificationId)
      last.push(row);
    else all.push([row]);
  }
  return all;
}
