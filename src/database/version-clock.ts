/**
 * The version clock of an organization: a row that issues `updated_at`, strictly rising and in
 * commit order, because a transaction that advances it holds the row lock until its commit. A
 * client that follows the greatest `updated_at` that it received therefore misses nothing. The time
 * is read after the row is locked, and is later than anything that any organization has committed
 * before. So no later stamp precedes what a reader saw, even after PostgreSQL's clock was stepped
 * back (graph/reads/keyset.ts relies on this).
 */
/**
 * The channel that announces, at commit, the id of each organization that was written to while it
 * has listeners.
 */
export const tickChannel = 'lanyard_ticks';

/**
 * The statement that takes `count` stamps and returns the last one as `at`. It notifies only when
 * there are listeners: PostgreSQL serializes the commits of notifying transactions, across all
 * organizations.
 * @param id The organization: a parameter or another SQL expression; `count` likewise.
 * @param rests Common table expressions with at most one row each. If one is empty, no stamp is
 * taken.
 * @param now The time, which must be read after the clock's row is locked. Behind {@link lockClock},
 * the time of the statement, which precedes its snapshot.
 */
export function ticking(
  id: string,
  count: string,
  rests: readonly string[] = [],
  now = 'clock_timestamp()',
): string {
  const more = `(${count}::int - 1) * interval '1 microsecond'`;
  const from = rests.length > 0 ? ` from ${rests.join(', ')}` : '';
  return `insert into organization_clocks as clock (organization_id, ticked_at)
    select ${id}::uuid, greatest(${now}, latest_tick() + interval '1 microsecond') + ${more}${from}
    on conflict (organization_id) do update set ticked_at =
      greatest(${now}, latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond') + ${more}
    returning ticked_at as at, case
      when exists (select from change_listeners where organization_id = ${id} and expires_at > now())
      then pg_notify('${tickChannel}', ${id}::text) end`;
}

/**
 * The statement that locks the version clock of the organization `$1`, so that the next statement
 * has a later snapshot.
 */
export const lockClock =
  'select from organization_clocks where organization_id = $1::uuid for no key update';

/**
 * Locks those version clocks of the organizations `$1` that are free, without waiting. Returns
 * their ids.
 */
export const lockingFree = `select organization_id as id from organization_clocks
  where organization_id = any($1::uuid[]) for no key update skip locked`;

/** {@link lockingFree} for the organization `$1` alone. */
export const lockingOneFree = `select organization_id as id from organization_clocks
  where organization_id = $1::uuid for no key update skip locked`;

/** {@link ticking} for `$2` stamps of the organization `$1`. */
export const tickingMany = ticking('$1', '$2');

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
