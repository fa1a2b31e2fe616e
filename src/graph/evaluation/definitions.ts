/** The qualifications that an answer is about. */
import { ArgsType, Field } from 'type-graphql';
import type { Context } from '../../context.js';
import { invalid, type Problems } from '../../errors.js';
import { usable } from '../definition/reads.js';
import { UUID } from '../scalars.js';

/** A qualification with the certification types that it can't be had without, in order. */
export interface Definition {
  readonly id: string;
  readonly name: string;
  readonly required: readonly string[];
}

/** Which qualifications and which members. */
@ArgsType()
export class RangeArgs {
  @Field(() => [UUID], {
    nullable: true,
    description:
      'Only these qualifications, in this order; up to 200. When left out: those that the job role needs, or without a job role all that the organization can use, by name.',
  })
  qualificationIds?: string[] | null;

  @Field(() => UUID, { nullable: true, description: 'Only members with this job role.' })
  jobRoleId?: string | null;
}

export interface Range extends RangeArgs {
  readonly organizationId: string;
}

export const mostQualifications = 200;

interface Row {
  readonly id: string;
  readonly name: string;
  /** Null for a qualification that requires nothing. */
  readonly required: string | null;
}

const active = (owner: string) => `select id, name from qualifications where ${owner} and status = 'active'`;

/** $1 organization, $2 qualifications or null, $3 job role or null. */
const definitions = `
  select q.id, q.name, (
    select string_agg(r.certification_type_id::text, ',' order by r.position) from qualification_requirements r
    where r.qualification_id = q.id and r.is_required) as required
  from (${active("organization_id = $1 and scope = 'organization'")} union all ${active("scope = 'standard'")}) q
  left join job_role_qualifications n on n.job_role_id = $3 and n.qualification_id = q.id
  where case when $2::uuid[] is not null then q.id = any($2) else $3::uuid is null or n.qualification_id is not null end
  order by array_position($2, q.id), n.position, lower(q.name), q.id`;

/**
 * The active qualifications of the range: in the order given, else in that of the job role, else by name.
 * @param pathOf Where a client named the qualification at an index, for errors.
 * @throws {ApiError} `validation_error` for each that the organization can't use, and when there are too many.
 */
export async function readDefinitions(
  ctx: Context,
  { organizationId, qualificationIds, jobRoleId }: Range,
  pathOf = (index: number) => `qualificationIds.${index}`,
): Promise<Definition[]> {
  if (jobRoleId) await requireJobRole(ctx, organizationId, jobRoleId);
  const rows = await ctx.db.query<Row>(definitions, [organizationId, qualificationIds ?? null, jobRoleId ?? null]);
  const found = rows.map(({ id, name, required }): Definition => ({ id, name, required: required?.split(',') ?? [] }));
  requireAll(qualificationIds ?? [], found, pathOf);
  if (found.length > mostQualifications)
    throw invalid({ qualificationIds: [`must name at most ${mostQualifications}; there are more to use`] });
  return found;
}

function requireAll(wanted: readonly string[], found: readonly Definition[], pathOf: (index: number) => string): void {
  const problems: Problems = {};
  for (const [index, id] of wanted.entries()) {
    if (!found.some((each) => each.id === id)) problems[pathOf(index)] = ['is not an active qualification that this organization can use'];
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

async function requireJobRole(ctx: Context, organizationId: string, id: string): Promise<void> {
  const found = await ctx.db.query(`select 1 from job_roles d where d.id = $1 and ${usable('d', '$2')}`, [id, [organizationId]]);
  if (found.length === 0) throw invalid({ jobRoleId: ['is not a job role that this organization can use'] });
}

/** The certification types that decide about qualifications. */
export const decisiveTypes = (among: readonly Pick<Definition, 'required'>[]): string[] => [
  ...new Set(among.flatMap(({ required }) => required)),
];
