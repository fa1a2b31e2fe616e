/**
 * The version clock of an organization issues `updated_at`, strictly rising and in commit order: a
 * writing transaction locks the clock's row and holds the lock until its commit. A client that
 * follows the greatest `updated_at` that it received therefore misses nothing.
 *
 * The row is only locked, never updated: an update per write would leave as many dead versions of
 * one row as there are writes while an old snapshot is open, such as that of a backup. The last
 * stamp is that of the newest audit event, because each stamp is the time of an audit event of its
 * transaction. It is read in a later statement than the lock, so that its snapshot has all that was
 * committed before. A stamp is later than anything that any organization had committed, even after
 * PostgreSQL's clock was stepped back (graph/reads/keyset.ts relies on this).
 */
import { unstampedSubjects } from '../entities/change-log.js';

/**
 * The channel that announces, at commit, the id of each organization that was written to while it
 * has listeners.
 */
export const tickChannel = 'lanyard_ticks';

/**
 * The statement that locks the version clock of the organization `$1`, and adds it for a new one.
 * With `where false`, PostgreSQL locks the existing row without a new version of it. The next
 * statement has a later snapshot.
 */
export const lockClock = `insert into organization_clocks as clock (organization_id, ticked_at)
  values ($1::uuid, clock_timestamp()) on conflict (organization_id) do update set ticked_at = clock.ticked_at where false`;

/**
 * The query that takes `count` stamps and returns the last one as `at`. It requires that an earlier
 * statement of the transaction locked the clock, and that an audit event gets the last stamp. It
 * notifies only when there are listeners: PostgreSQL serializes the commits of notifying
 * transactions, across all organizations.
 * @param id The organization: a parameter or another SQL expression; `count` likewise.
 * @param rests Common table expressions with at most one row each. If one is empty, no stamp is
 * taken.
 */
export function ticking(id: string, count: string, rests: readonly string[] = []): string {
  const from = ['organization_clocks clock', ...rests].join(', ');
  return `select greatest(statement_timestamp(), clock.ticked_at + interval '1 microsecond',
      (select max(occurred_at) from audit_events) + interval '1 microsecond') + (${count}::int - 1) * interval '1 microsecond' as at,
    case when exists (select from change_listeners where organization_id = ${id}::uuid and expires_at > now())
      then pg_notify('${tickChannel}', ${id}::text) end
    from ${from} where clock.organization_id = ${id}::uuid`;
}

/** {@link ticking} for `$2` stamps of the organization `$1`. */
export const tickingMany = ticking('$1', '$2');

/** The condition of audit events whose time is a stamp: that of the index `audit_events_stamps`. */
const isStamped = `subject_type not in (${unstampedSubjects.map((subject) => `'${subject}'`).join(', ')})`;

/**
 * SQL of the last stamp of an organization in the statement's snapshot.
 * @param clock The alias of its row in `organization_clocks`. `ticked_at` is the time of the first
 * lock, or the last stamp that a former release or an import has left there.
 */
export const lastStamp = (clock: string): string =>
  `greatest(${clock}.ticked_at, (select max(occurred_at) from audit_events where organization_id = ${clock}.organization_id and ${isStamped}))`;

/** SQL of the transaction (`xmin`) that wrote the last stamped event of an organization. */
export const lastWriter = (clock: string): string =>
  `(select e.xmin from audit_events e where organization_id = ${clock}.organization_id and ${isStamped} order by occurred_at desc limit 1)`;

/** Stores the last stamp `$2` of the organization `$1` where no audit event gets it. */
export const keepStamp =
  'update organization_clocks set ticked_at = $2 where organization_id = $1::uuid';

/**
 * Locks those version clocks of the organizations `$1` that are free, without waiting. Returns
 * their ids.
 */
export const lockingFree = `select organization_id as id from organization_clocks
  where organization_id = any($1::uuid[]) for no key update skip locked`;

/** Returns `count` distinct stamps up to `last`, oldest first, in RFC 3339 with six digits. */
export function stampsBefore(last: string, count: number): string[] {
  const end = toMicroseconds(last);
  return Array.from({ length: count }, (_, index) => fromMicroseconds(end - (count - 1 - index)));
}

/** Microseconds since 1970; exact in a double until the year 2255. */
const toMicroseconds = (stamp: string): number =>
  Date.parse(`${stamp.slice(0, 19)}Z`) * 1000 + Number(stamp.slice(20, 26));

const fromMicroseconds = (microseconds: number): string =>
  `${new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, 19)}.${String(microseconds % 1_000_000).padStart(6, '0')}Z`;
