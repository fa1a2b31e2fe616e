/**
 * The clock of an organization: a row that gives out `updated_at`, strictly rising and in commit order, since whoever ticks holds the row until its
 * commit. A client that follows the greatest `updated_at` it saw therefore misses nothing. The time is read after the row is had, and is later than
 * whatever any organization has committed by then, so that a later tick anywhere is never earlier than what a reader saw before it, even where
 * PostgreSQL's clock was stepped back (graph/keyset.ts relies on this).
 */
import type { Database } from './connection.js';

/** Where PostgreSQL announces, at the commit, each organization that was written to (by its id) while somebody listens for it. */
export const tickChannel = 'lanyard_ticks';

/**
 * The statement that takes `count` stamps: the last of them is `at`. Announced only where somebody listens: PostgreSQL commits announcing transactions one
 * by one, in all organizations together.
 * @param id The organization, as a value of the statement or another expression of SQL; `count` likewise.
 * @param basis A part of the statement with at most one row: without it there is no stamp, either.
 */
export function ticking(id: string, count: string, basis?: string): string {
  const more = `(${count}::int - 1) * interval '1 microsecond'`;
  return `insert into organization_clocks as clock (organization_id, ticked_at)
    select ${id}::uuid, greatest(clock_timestamp(), latest_tick() + interval '1 microsecond') + ${more}${basis ? ` from ${basis}` : ''}
    on conflict (organization_id) do update set ticked_at =
      greatest(clock_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond') + ${more}
    returning ticked_at as at, case
      when exists (select from change_listeners where organization_id = ${id} and expires_at > now())
      then pg_notify('${tickChannel}', ${id}::text) end`;
}

/** The statement that takes those clocks of some organizations (`$1`) that nobody has, for this transaction, and gives their ids. */
export const holding = `select organization_id as id from organization_clocks where organization_id = any($1::uuid[]) for no key update skip locked`;

const tickingMany = ticking('$1', '$2');

/**
 * Takes `count` distinct stamps of one organization, oldest first, in RFC 3339 with six digits. Call it last in a transaction, and for several
 * organizations in the order of their ids.
 */
export async function tick(tx: Database, organizationId: string, count: number): Promise<string[]> {
  const [row] = await tx.query<{ at: string }>(tickingMany, [organizationId, count]);
  const last = toMicroseconds(row?.at ?? '');
  return Array.from({ length: count }, (_, index) => fromMicroseconds(last - (count - 1 - index)));
}

/** Microseconds since 1970; exact in a double until the year 2255. */
const toMicroseconds = (stamp: string): number => Date.parse(`${stamp.slice(0, 19)}Z`) * 1000 + Number(stamp.slice(20, 26));

const fromMicroseconds = (microseconds: number): string =>
  `${new Date(Math.floor(microseconds / 1000)).toISOString().slice(0, 19)}.${String(microseconds % 1_000_000).padStart(6, '0')}Z`;
