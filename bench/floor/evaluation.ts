/** Qualification results and the readiness matrix, each as one statement by hand. */
import { type Caller, managed } from './caller.js';
import { query } from './database.js';

/** Whether the record `c` counts on the day `$2`. */
const counts = `c.lifecycle_status = 'active' and (c.issued_on is null or c.issued_on <= $2)
  and (c.expires_on >= $2 or c.expires_on is null and c.issued_on is not null)
  and case c.source when 'self-reported' then c.verification_status = 'verified' else c.verification_status <> 'failed' end`;
const usable = `q.status = 'active' and (q.scope = 'standard' or q.organization_id = $1)`;
const today = (): string => new Date().toISOString().slice(0, 10);

const resultsStatement = `
  select q.id, count(r.certification_type_id) filter (where r.is_required)::int as total,
    count(*) filter (where r.is_required and held.ok)::int as met,
    coalesce(array_agg(r.certification_type_id order by r.position) filter (where r.is_required and not held.ok), '{}') as missing
  from (select q.id from qualifications q where ${usable} order by q.id limit $4) q
  left join qualification_requirements r on r.qualification_id = q.id
  cross join lateral (select exists (select from certifications c where c.organization_id = $1 and c.organization_member_id = $3
    and c.certification_type_id = r.certification_type_id and ${counts}) as ok) held
  group by q.id order by q.id`;

interface Result {
  readonly id: string;
  readonly total: number;
  readonly met: number;
  readonly missing: readonly string[];
}

export async function listResults(
  caller: Caller,
  organizationId: string,
  memberId: string,
): Promise<object> {
  managed(caller, organizationId, 'certification_records:read');
  const limit = 50;
  const rows = await query<Result>(resultsStatement, [
    organizationId,
    today(),
    memberId,
    limit + 1,
  ]);
  const evaluatedAt = `${new Date().toISOString().slice(0, -1)}000Z`;
  const data = rows.slice(0, limit).map(({ id, total, met, missing }) => ({
    organization_member_id: memberId,
    qualification_id: id,
    status: total > 0 && met === total ? 'qualified' : 'not_qualified',
    met_requirement_count: met,
    total_requirement_count: total,
    missing_certification_type_ids: missing,
    evaluated_at: evaluatedAt,
  }));
  const hasMore = rows.length > limit;
  return {
    data,
    page: { next_cursor: hasMore ? (rows[limit - 1]?.id ?? null) : null, has_more: hasMore },
  };
}

/** One row for each member of the page; what is the same for all of them comes with each. */
const matrixStatement = `
  with definition as (
    select q.id, row_number() over (order by lower(q.name), q.id) as place,
      array(select r.certification_type_id from qualification_requirements r where r.qualification_id = q.id and r.is_required) as types
    from qualifications q where ${usable}),
  roster as (
    select m.id, row_number() over (order by lower(m.display_name), m.id) as place
    from organization_members m where m.organization_id = $1 and m.status <> 'suspended'),
  held as (
    select c.organization_member_id as member, array_agg(c.certification_type_id) as types
    from certifications c where c.organization_id = $1 and ${counts} group by 1),
  total as (
    select d.id, d.place, count(*) filter (where d.types <@ h.types and d.types <> '{}')::int as qualified
    from definition d left join (held h join roster m on m.id = h.member) on true group by d.id, d.place)
  select m.id as member, (select count(*)::int from roster) as roster, (select json_agg(json_build_object('id', id, 'qualified', qualified) order by place) from total) as totals,
    array(select cardinality(d.types) from definition d order by d.place) as required,
    array(select (select count(*) from unnest(d.types) as wanted(type) where wanted.type = any(h.types))::int from definition d order by d.place) as met
  from roster m left join held h on h.member = m.id where m.place <= $3 order by m.place`;

interface MatrixRow {
  readonly member: string;
  readonly roster: number;
  readonly totals: readonly { readonly id: string; readonly qualified: number }[];
  readonly required: readonly number[];
  readonly met: readonly number[];
}

export async function matrix(caller: Caller, organizationId: string): Promise<object> {
  managed(caller, organizationId, 'certification_records:read');
  const rows = await query<MatrixRow>(matrixStatement, [organizationId, today(), 50]);
  const [first] = rows;
  const totals = first?.totals ?? [];
  return {
    readiness: {
      memberCount: first?.roster ?? 0,
      totals: totals.map(({ id, qualified }) => ({
        qualificationId: id,
        qualifiedCount: qualified,
      })),
      members: {
        nodes: rows.map(({ member, required, met }) => ({
          organizationMemberId: member,
          cells: totals.map(({ id }, index) => {
            const [total = 0, has = 0] = [required[index], met[index]];
            const status = total > 0 && has === total ? 'QUALIFIED' : 'NOT_QUALIFIED';
            return {
              qualificationId: id,
              status,
              metRequirementCount: has,
              totalRequirementCount: total,
            };
          }),
        })),
      },
    },
  };
}
