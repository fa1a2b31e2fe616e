/** The members that may be sent to work: all but the suspended, by name. */
import type { Context } from '../../context.js';
import { invalid } from '../../errors.js';
import type { PageArgs } from '../connection.js';
import { byIdAlone, decodeCursor, type ListIdentity } from '../cursor.js';
import type { Range } from './definitions.js';

/** SQL: that the member `m` of an organization is on its roster. @param jobRole SQL of the only job role that is meant, or of null. */
export const onRoster = (jobRole: string): string => `
  m.status <> 'suspended' and (${jobRole}::uuid is null or exists (
    select from member_job_roles a where a.organization_id = m.organization_id and a.organization_member_id = m.id and a.job_role_id = ${jobRole}))`;

/** SQL: the order of a roster. */
export const byName = 'lower(m.display_name), m.id';

const roster = `select m.id from organization_members m where m.organization_id = $1 and ${onRoster('$2')} order by ${byName}`;

/** The ids of the members. */
export async function readRoster(ctx: Context, { organizationId, jobRoleId }: Range): Promise<string[]> {
  const rows = await ctx.db.query<{ id: string }>(roster, [organizationId, jobRoleId ?? null]);
  return rows.map(({ id }) => id);
}

/**
 * The part of a roster that a page shows, and one more.
 * @param list What tells the list from others.
 * @throws {ApiError} `validation_error` when the cursor is of another list, or its member left the roster.
 */
export function pageOfRoster(roster: readonly string[], list: ListIdentity, { first, after }: PageArgs): string[] {
  if (!after) return roster.slice(0, first + 1);
  const place = roster.indexOf(decodeCursor(list, after, 'after', byIdAlone).id);
  if (place < 0) throw invalid({ after: ['is no longer a position in this list: begin again without it'] });
  return roster.slice(place + 1, place + first + 2);
}
