/** What must hold in the database whatever was asked of it. */
import type { Database } from '../../../src/database/connection.js';
import { lifecycleTransitions, verificationTransitions } from '../../../src/rules/transitions.js';

const audited = [
  'certifications',
  'certification_types',
  'qualifications',
  'job_roles',
  'organization_members',
  'member_job_roles',
];
const pairs = (moves: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(moves)
    .flatMap(([from, states]) => states.map((to) => `('${from}', '${to}')`))
    .join(', ');

/** By what is wrong: statements that must find nothing. `$1` is when the requests began. */
const searches: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    audited.map((table) => [
      `a write to ${table} without its audit event`,
      `select * from ${table} t where updated_at >= $1::timestamptz and not exists (
         select from audit_events a where a.organization_id = t.organization_id and a.occurred_at = t.updated_at)`,
    ]),
  ),
  'a certification that differs from its last version': `
    select c.id from certifications c join lateral (
      select * from certification_history h where h.organization_id = c.organization_id and h.certification_id = c.id order by recorded_at desc limit 1
    ) h on true
    where $1::text is not null and (h.recorded_at, h.lifecycle_status, h.verification_status) is distinct from (c.updated_at, c.lifecycle_status, c.verification_status)`,
  'a move that the lifecycle or the verification forbids': `
    select * from (
      select certification_id, recorded_at, lifecycle_status as lifecycle, verification_status as verification,
        lag(lifecycle_status) over w as lifecycle_before, lag(verification_status) over w as verification_before
      from certification_history window w as (partition by organization_id, certification_id order by recorded_at)
    ) moves
    where recorded_at >= $1::timestamptz and lifecycle_before is not null and (
      (lifecycle <> lifecycle_before and (lifecycle_before, lifecycle) not in (${pairs(lifecycleTransitions)}))
      or (verification not in (verification_before, 'unverified') and (verification_before, verification) not in (${pairs(verificationTransitions)})))`,
  'a record that is active after it was revoked': `
    select c.id from certifications c where $1::text is not null and lifecycle_status = 'active' and exists (
      select from certification_history h where h.organization_id = c.organization_id and h.certification_id = c.id and h.lifecycle_status = 'revoked')`,
  'a text with a control character': `
    select id from certification_types where $1::text is not null and (title ~ '[[:cntrl:]]' or slug !~ '^[a-z0-9-]+$')
    union all select id from organization_members where display_name ~ '[[:cntrl:]]'`,
  'a new member of an organization whom nobody asked': `
    select m.id from organization_members m where m.created_at >= $1::timestamptz and m.user_id <> m.id`,
};

/** What is wrong, with the first rows of each. */
export async function findWrong(db: Database, since: string): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const [what, search] of Object.entries(searches)) {
    const rows = await db.query(`select * from (${search}) wrong limit 3`, [since]);
    if (rows.length > 0) found[what] = rows;
  }
  return found;
}
