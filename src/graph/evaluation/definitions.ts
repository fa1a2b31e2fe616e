/** The qualifications that a query evaluates. */
import { ArgsType, Field } from 'type-graphql';
import type { Context } from '../../context.js';
import { ApiError, invalid, type Problems } from '../../errors.js';
import { UUID } from '../../scalars/scalars.js';
import { available } from '../definitions/reads.js';

/** A qualification with its required certification types, in order. */
export interface Definition {
  readonly id: string;
  readonly name: string;
  readonly required: readonly string[];
}

/** The evaluated qualifications and members. */
@ArgsType()
export class RangeArgs {
  @Field(() => [UUID], {
    nullable: true,
    description:
      'The qualifications to evaluate, in this order: up to 200 ids. Defaults to those that the ' +
      'job role requires, or without a job role to all active qualifications that the ' +
      'organization can use, in order of name.',
  })
  qualificationIds?: string[] | null;

  @Field(() => UUID, { nullable: true, description: 'Returns only members with this job role.' })
  jobRoleId?: string | null;
}

export interface Range extends RangeArgs {
  readonly organizationId: string;
}

/** Maximum number of qualification ids in a request. An organization may have more. */
export const maxQualifications = 200;

interface Row {
  readonly id: string;
  readonly name: string;
  /** Null for a qualification that requires nothing. */
  readonly required: string | null;
}

const active = (owner: string) =>
  `select id, name from qualifications where ${owner} and status = 'active'`;

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
 * The active qualifications to evaluate: in the order given, otherwise in that of the job role,
 * otherwise in order of name.
 * @param pathOf Returns the request path of the qualification at an index, for errors.
 * @throws {ApiError} `validation_error` for each that the organization cannot use, and for too
 * many.
 */
export async function readDefinitions(
  ctx: Context,
  { organizationId, qualificationIds, jobRoleId }: Range,
  pathOf = (index: number) => `qualificationIds.${index}`,
): Promise<Definition[]> {
  if (qualificationIds && qualificationIds.length > maxQualifications)
    throw invalid({ qualificationIds: [`must have at most ${maxQualifications} entries`] });
  if (jobRoleId) await requireJobRole(ctx, organizationId, jobRoleId);
  const rows = await ctx.db.query<Row>(definitions, [
    organizationId,
    qualificationIds ?? null,
    jobRoleId ?? null,
  ]);
  const found = rows.map(
    ({ id, name, required }): Definition => ({ id, name, required: required?.split(',') ?? [] }),
  );
  requireAll(qualificationIds ?? [], found, pathOf);
  return found;
}

function requireAll(
  wanted: readonly string[],
  found: readonly Definition[],
  pathOf: (index: number) => string,
): void {
  const problems: Problems = {};
  for (const [index, id] of wanted.entries()) {
    if (!found.some((each) => each.id === id))
      problems[pathOf(index)] = ['is not an active qualification that this organization can use'];
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

async function requireJobRole(ctx: Context, organizationId: string, id: string): Promise<void> {
  const found = await ctx.db.query(
    `select 1 from job_roles d where d.id = $1 and ${available('d', '$2')}`,
    [id, [organizationId]],
  );
  if (found.length === 0)
    throw invalid({ jobRoleId: ['is not a job role that this organization can use'] });
}

/** The certification types that the qualifications require. */
export const decisiveTypes = (among: readonly Pick<Definition, 'required'>[]): string[] => [
  ...new Set(among.flatMap(({ required }) => required)),
];

/**
 * Rejects a request that is too expensive. The cost plan of an operation does not know the number
 * of qualifications, so this check follows their lookup.
 * @param requested Cost in values.
 * @throws {ApiError} `invalid_request`.
 */
export function requireAffordable({ config }: Context, requested: number, advice: string): void {
  const limit = config.GRAPHQL_COST_LIMIT;
  if (requested <= limit) return;
  const [asked, most] = [requested, limit].map((values) => Math.ceil(values).toLocaleString('en'));
  throw new ApiError(
    'invalid_request',
    `The operation requests ${asked} values at once, and the limit is ${most}: ${advice}.`,
    {
      requested: Math.ceil(requested),
      limit,
    },
  );
}

/**
 * Member-qualification comparisons that count as one value: a comparison is cheap relative to
 * reading one.
 */
const comparisonsPerValue = 100;

/**
 * As {@link requireAffordable}, for comparisons of members and qualifications that return few rows.
 */
export const requireComparable = (
  ctx: Context,
  members: number,
  definitions: readonly Definition[],
): void =>
  requireAffordable(
    ctx,
    (members * definitions.length) / comparisonsPerValue,
    'use fewer "qualificationIds", or a "jobRoleId"',
  );
