/**
 * Reads the certification types that members hold on a day, one row per member. Most queries need
 * no more of the records.
 */
import type { Context } from '../../context.js';
import { typesHeld } from '../../rules/evaluation/result.js';
import type { AsOf } from './as-of.js';
import type { Range } from './definitions.js';
import { countsOnDay, readEvidence, type Wanted } from './evidence.js';
import { byName, onRoster, readRoster } from './roster.js';

/** Types by member id. */
export type Holdings = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * $1 organization, $2 relevant types, $3 day, $4 depends on `which`. Rows contain indexes into $2,
 * because ids would be most of their size.
 */
const held = (which: string): string => `
  select m.id, string_agg(array_position($2::uuid[], c.certification_type_id)::text, ',') as held
  from organization_members m
  left join certifications c on c.organization_id = $1 and c.organization_member_id = m.id and c.certification_type_id = any($2::uuid[])
    and ${countsOnDay('c', '$3::date')}
  where m.organization_id = $1 and ${which}
  group by m.organization_id, m.id order by ${byName}`;

const heldByMembers = held('m.id = any($4::uuid[])');
const heldByRoster = held(onRoster('$4'));

interface Row {
  readonly id: string;
  /** Null for a member who holds none. */
  readonly held: string | null;
}

async function read(
  ctx: Context,
  statement: string,
  types: readonly string[],
  { day }: AsOf,
  organizationId: string,
  which: unknown,
) {
  const rows = await ctx.db.query<Row>(statement, [organizationId, types, day, which]);
  return new Map(
    rows.map(({ id, held }) => [
      id,
      new Set(held?.split(',').map((place) => types[Number(place) - 1] as string)),
    ]),
  );
}

/** The types that members hold, unordered. */
export async function readHeld(ctx: Context, wanted: Wanted, at: AsOf): Promise<Holdings> {
  const { organizationId, memberIds, certificationTypeIds } = wanted;
  if (at.isPresent)
    return read(ctx, heldByMembers, certificationTypeIds, at, organizationId, memberIds);
  const evidence = await readEvidence(ctx, wanted, at);
  return new Map(memberIds.map((id) => [id, typesHeld(at.day, evidence.get(id) ?? [])]));
}

/** The types that all roster members hold, in the order of the roster. */
export async function readRosterHeld(
  ctx: Context,
  range: Range,
  certificationTypeIds: readonly string[],
  at: AsOf,
): Promise<Holdings> {
  const { organizationId, jobRoleId } = range;
  if (at.isPresent)
    return read(ctx, heldByRoster, certificationTypeIds, at, organizationId, jobRoleId ?? null);
  return readHeld(
    ctx,
    { organizationId, memberIds: await readRoster(ctx, range), certificationTypeIds },
    at,
  );
}
