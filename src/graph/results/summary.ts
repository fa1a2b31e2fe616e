/** Reads only statuses: whether each requirement is met. */
import type { Context } from '../../context.js';
import { evaluate } from '../../rules/evaluation/result.js';
import { countsOnDay } from '../evaluation/evidence.js';
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

interface Row {
  readonly subject: number;
  readonly qualificationId: string;
  /** The required types in order, and those of them that the member holds; null for none. */
  readonly required: string | null;
  readonly held: string | null;
}

/** One row for each qualification. Values as for {@link subjects}, and $6 the day. */
const summary = (pinned: string): string => `
  select subject.number::int - 1 as subject, q.id as "qualificationId", r.required, r.held
  from ${subjects}
  cross join lateral (
    select array_agg(c.certification_type_id) as types from certifications c
    where c.organization_id = subject.organization_id and c.organization_member_id = subject.member_id${pinned} and ${countsOnDay('c', '$6::date')}) member
  cross join lateral (
    select string_agg(r.certification_type_id::text, ',' order by r.position) as required,
      string_agg(r.certification_type_id::text, ',') filter (where r.certification_type_id = any(member.types)) as held
    from qualification_requirements r where r.qualification_id = q.id and r.is_required) r
  order by subject.number, q.id`;

const summaryOfAll = summary('');
const summaryOfOne = summary(' and c.organization_id = $7::uuid');

/** The results of each subject in the current state, in one statement. */
export const summarize = (
  ctx: Context,
  of: readonly Subject[],
  which: Which,
): Promise<readonly QualificationResult[][]> =>
  readTogether(ctx.db, of, organizationOf, (each, organizationId) =>
    summarizeTogether(ctx, each, which, organizationId),
  );

async function summarizeTogether(
  ctx: Context,
  of: readonly Subject[],
  which: Which,
  organizationId: string | undefined,
): Promise<QualificationResult[][]> {
  const { day } = which.at;
  const values = [...valuesOf(of, which), day];
  const rows = await (organizationId
    ? ctx.db.query<Row>(summaryOfOne, [...values, organizationId])
    : ctx.db.query<Row>(summaryOfAll, values));
  const evaluatedAt = evaluatedNow();
  const results: QualificationResult[][] = of.map(() => []);
  for (const { subject, qualificationId, required, held } of rows) {
    const evaluation = evaluate(required?.split(',') ?? [], new Set(held?.split(',')));
    results[subject]?.push({
      ...evaluation,
      organizationMemberId: (of[subject] as Subject).memberId,
      qualificationId,
      asOf: day,
      evaluatedAt,
    });
  }
  return results;
}
