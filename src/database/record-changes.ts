/**
 * The only way to write rows of organizations: audited, stamped by the version clock, in one
 * transaction.
 */
import { Certification } from '../entities/certification.js';
import {
  type Actor,
  batchesOf,
  CallerChanged,
  type Change,
  changeStatement,
  historyOf,
  type StampedChange,
  type VersionedRecord,
} from './change-statements.js';
import type { Database } from './connection.js';
import { prepareDistributed, sendTogether, writeDistributed } from './distributed-changes.js';
import { takingVersions } from './placements.js';
import { stampsBefore, tickingMany } from './version-clock.js';
import type { Sql } from './wire/client.js';

export {
  type Actor,
  type Basis,
  CallerChanged,
  type Change,
  type Check,
} from './change-statements.js';

/** Thrown by a rehearsal instead of writing. */
export class Rehearsed extends Error {}

/** The query that reads the result of a write. */
export interface Reading {
  /** Reads from `written`, the rows of the last batch, unless it has values. */
  readonly sql: string;
  /** Of a statement of its own, which follows the write in the same round trip. */
  readonly values?: readonly unknown[];
  /** Whether it is the last statement of the transaction. */
  readonly isLast: boolean;
}

const noReading: Reading = { sql: 'select from written', isLast: false };

/**
 * Writes the changes, oldest stamp first, if the actor's check holds once the version clock is
 * locked. A suspension takes the same clock, so no write is stamped after the suspension of its
 * member. The check runs in a later snapshot than the lock and before the stamp is taken, so a
 * grant, app or account that ends outside the organization is seen by every write that is stamped
 * after that commit.
 *
 * The history of the certifications among the changes is written with them, once per record. The
 * number of statements does not depend on the number of records, and all that follow the stamps are
 * sent together; a single change is a single statement. `updatedAt` of each row, and `createdAt` of
 * a new one, is its own stamp.
 * @returns The result of `reading`.
 * @throws {CallerChanged}
 */
export async function recordChanges<Row extends object>(
  tx: Database,
  actor: Actor,
  changes: readonly Change[],
  reading: Reading = noReading,
): Promise<Row[]> {
  if (actor.isRehearsal) throw new Rehearsed('Nothing is written in a rehearsal');
  const isSingle = changes.length === 1 && !reading.values && !tx.isDistributed;
  const prepared = tx.isDistributed
    ? await prepareDistributed(tx, actor, changes)
    : isSingle
      ? changes
      : await stamped(tx, actor, changes);
  if (!prepared) return [];
  const all: StampedChange[] = [];
  for (const change of prepared as readonly Stamped[]) {
    const kind =
      change.set === undefined ? 'delete' : change.from === undefined ? 'create' : 'update';
    all.push({ ...change, kind });
  }
  const versions: VersionedRecord[] = [];
  for (const change of all)
    if (change.entity === Certification && change.set)
      versions.push({ ...change, id: String(change.key.id) });
  if (tx.isDistributed) {
    const read = reading === noReading ? undefined : reading;
    const rows = await writeDistributed<Row>(tx, actor, all, versions, read);
    if (!reading.isLast) tx.waitBriefly();
    return rows;
  }
  const batches = batchesOf(all);
  const last = batches.pop();
  if (!last) return [];
  // Versions of records that other statements wrote come after all of them.
  const hasVersions = versions.length > 0 && batches.length === 0;
  const { text, groupText, values } = changeStatement(actor, last, {
    reading: reading.values ? 'select from written' : reading.sql,
    changes: all,
    versions: hasVersions ? versions : [],
  });
  const { isLast } = reading;
  let rows: object[] | undefined;
  if (isSingle) {
    const [{ organizationId }] = last.changes;
    rows = await tx.query(text, values, { isLast, groupText, clock: organizationId });
    if (rows.length === 0) await requireUnchanged(tx, actor, organizationId);
  } else {
    const statements = batches.map((batch) => changeStatement(actor, batch));
    const sql: Sql[] = [...statements.map((each): Sql => [each.text, each.values]), [text, values]];
    if (versions.length > 0 && !hasVersions) sql.push(historyOf(actor, versions));
    if (reading.values) sql.push([reading.sql, reading.values]);
    const results = await sendTogether(tx, sql, isLast);
    rows = reading.values ? results.at(-1) : results[batches.length];
    tx.waitBriefly();
  }
  return rows as Row[];
}

/** @throws {CallerChanged} */
async function requireUnchanged(
  tx: Database,
  { check }: Actor,
  organizationId: string,
): Promise<void> {
  if (!check) return;
  const found = await tx.query(check.sql, check.valuesFor(organizationId));
  if (found.length === 0)
    throw new CallerChanged('The caller may not write as they might when the rules were checked');
}

/** A change with its stamp; omitted for a single one, whose statement takes it. */
type Stamped = Change & Pick<StampedChange, 'stamp'>;

async function stamped(tx: Database, actor: Actor, changes: readonly Change[]): Promise<Stamped[]> {
  const stamps = await stampsOf(tx, actor, changes);
  return changes.map((change, index) => ({ ...change, stamp: stamps[index] }));
}

/** Takes a stamp for each change, if the actor's check holds. */
async function stampsOf(tx: Database, actor: Actor, changes: readonly Change[]): Promise<string[]> {
  const stamps: string[] = [];
  for (const organizationId of [
    ...new Set(changes.map((change) => change.organizationId)),
  ].sort()) {
    const mine = [...changes.keys()].filter(
      (index) => changes[index]?.organizationId === organizationId,
    );
    const next = actor.check && (() => requireUnchanged(tx, actor, organizationId));
    const taken = await takeStamps(tx, organizationId, mine.length, next);
    for (const [order, index] of mine.entries()) stamps[index] = taken[order] ?? '';
  }
  return stamps;
}

/**
 * Takes `count` distinct stamps of one organization, oldest first, in RFC 3339 with six digits.
 * Call it last in a transaction, and for several organizations in the order of their ids, so that
 * transactions do not deadlock.
 * @param next Sent in the same round trip, with a later snapshot.
 */
export async function takeStamps(
  tx: Database,
  organizationId: string,
  count: number,
  next?: () => Promise<void>,
): Promise<string[]> {
  const sql: Sql = tx.isDistributed
    ? [takingVersions, [organizationId, count, true]]
    : [tickingMany, [organizationId, count]];
  const ticked = next ? tx.prepend(sql) : tx.query(...sql);
  await next?.();
  const [row] = (await ticked) as { at: string }[];
  return stampsBefore(row?.at ?? '', count);
}
