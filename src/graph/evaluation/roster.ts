/** The roster: all members except suspended ones, in order of name. */
import type { Context } from '../../context.js';
import { invalid } from '../../errors.js';
import type { PageArgs } from '../reads/connection.js';
import { byIdAlone, decodeCursor, type ListIdentity } from '../reads/cursor.js';
import type { Range } from './definitions.js';

/**
 * SQL condition: the member `m` of the organization $1 is on the roster. On a cluster $1 tells the
 * node of its assignments.
 * @param jobRole SQL of the required job role, or of null.
 */
export const onRoster = (jobRole: string): string => `
  m.status <> 'suspended' and (${jobRole}::uuid is null or exists (
    select from member_job_roles a where a.organization_id = $1 and a.organization_member_id = m.id and a.job_role_id = ${jobRole}))`;

/** SQL of the roster's order. */
export const byName = 'lower(m.display_name), m.id';

const roster = `select m.id from organization_members m where m.organization_id = $1 and ${onRoster('$2')} order by ${byName}`;

/** The member ids. */
export async function readRoster(
  ctx: Context,
  { organizationId, jobRoleId }: Range,
): Promise<string[]> {
  const rows = await ctx.db.query<{ id: string }>(roster, [organizationId, jobRoleId ?? null]);
  return rows.map(({ id }) => id);
}

/**
 * The members of a page of the roster, plus one.
 * @param list Identifies the list in cursors.
 * @throws {ApiError} `validation_error` when the cursor belongs to another list, or its member left
 * the roster.
 */
export function pageOfRoster(
  roster: readonly string[],
  list: ListIdentity,
  { first, after }: PageArgs,
): string[] {
  if (!after) return roster.slice(0, first + 1);
  const place = roster.indexOf(decodeCursor(list, after, 'after', byIdAlone).id);
  if (place < 0)
    throw invalid({ after: ['is no longer a valid cursor of this list: start again without it'] });
  return roster.slice(place + 1, place + first + 2);
}
