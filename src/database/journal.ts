/** The one way to write what organizations own: stamped by the organization's clock, audited, in the transaction of the request. */
import type { EntityClass } from '@mikro-orm/core';
import { LRUCache } from 'lru-cache';
import { Certification } from '../entities/certification.js';
import { auditing, eventsOf } from './audit.js';
import type { Sql } from './client.js';
import { tick, ticking } from './clock.js';
import type { Database } from './connection.js';
import type { Sharing } from './group.js';
import { type Recording, recordHistory, recording, recordingOne } from './history.js';
import { type Run, rowsOf, runsOf, type Stamped, writing } from './runs.js';
import { type Add, Template } from './template.js';

/** Who writes, for the audit. Null for the operator's command line. */
export interface Actor {
  readonly userId: string | null;
  readonly appId: string | null;
  readonly requestId: string | null;
}

type Row = Readonly<Record<string, unknown>>;

/** A row that must be there for a change, and what the change takes from it. */
export interface Basis {
  /** The statement that reads it, in the same words each time: one row, or none. */
  readonly sql: string;
  readonly values: readonly unknown[];
  /** SQL by property of the change: columns of `basis`. */
  readonly set: Readonly<Record<string, string>>;
}

/** One row to insert, update or delete. Timestamps are set here. */
export interface Change {
  readonly organizationId: string;
  readonly entity: EntityClass<object>;
  /** The columns that find the row. For an insert they are part of the row. */
  readonly key: Row;
  /** What the row gets; left out to delete it. */
  readonly set?: Row;
  /** What the row had of `set`, or of everything for a delete; left out to insert. */
  readonly from?: Row;
  /** What an insert rests on, when it is the only change: nothing is written where there is none. */
  readonly basis?: Basis;
  /** Why; goes into the audit, and into the history of a certification. */
  readonly reason?: string | null | undefined;
  /** For the history of a certification: the UTC day from which on it holds, when that is not the day of the stamp. */
  readonly effectiveOn?: string | null | undefined;
}

/** What is read from `written`, the rows of the last changes, of those that are alike. */
export interface Reading {
  readonly sql: string;
  /** Whether nothing of the transaction comes after it: see {@link Database.conclude}. */
  readonly isLast: boolean;
}

export type ChangeKind = 'create' | 'update' | 'delete';

const kindOf = ({ set, from }: Change): ChangeKind => (set === undefined ? 'delete' : from === undefined ? 'create' : 'update');

/**
 * Writes the changes, oldest stamp first, with the history of the certifications among them: each record once, a handful of statements whatever the
 * number of records, and a single one for a single change. Each row's `updatedAt` (and `createdAt`, when new) is its own stamp.
 * @returns What `reading` gives.
 */
export async function write<Row extends object>(
  tx: Database,
  actor: Actor,
  changes: readonly Change[],
  reading: Reading = { sql: 'select', isLast: false },
): Promise<Row[]> {
  const stamps = changes.length === 1 ? [] : await stampsOf(tx, changes);
  const all = changes.map((change, index) => ({ ...change, kind: kindOf(change), stamp: stamps[index] }));
  const records = all
    .filter(({ entity, set }) => entity === Certification && set)
    .map((change) => ({ ...change, id: String(change.key.id) }));
  const runs = runsOf(all);
  const last = runs.pop();
  if (!last) return [];
  const given = { tx, actor, all, records };
  for (const run of runs) await tx.query(...statementOf({ ...given, run }).sql);
  const isRecorded = records.length === 0 || runs.length === 0;
  const { sql, sharing } = statementOf({ ...given, run: last }, { reading, isRecorded });
  if (isRecorded && reading.isLast) return tx.conclude(...sql, sharing);
  const rows = await tx.query<Row>(...sql);
  if (!isRecorded) await recordHistory(tx, given);
  return rows;
}

/** What the values of a statement are read from. */
interface Given extends Recording {
  readonly tx: Database;
  readonly all: readonly Stamped[];
  readonly run: Run;
}

/** What the last statement of a write has besides its run. */
interface Ending {
  readonly reading: Reading;
  /** Whether it adds the versions of all records. */
  readonly isRecorded: boolean;
}

/** What is made once for all that are alike. */
interface Made {
  readonly template: Template<Given>;
  /** The text among others, of what goes with them. */
  readonly shared: string | undefined;
}

/** By all that they depend on. What clients select is among that. */
const statements = new LRUCache<string, Made>({ max: 500 });

function statementOf(given: Given, ending?: Ending): { readonly sql: Sql; readonly sharing: Sharing | undefined } {
  const { run, records } = given;
  const [{ basis, organizationId: clock }] = run.changes;
  const id = `${run.likeness} ${ending && `${ending.isRecorded && records.length > 0} ${ending.reading.sql}`} ${basis?.sql}`;
  let known = statements.get(id);
  if (!known) {
    known = make(given, ending);
    statements.set(id, known);
  }
  const { template, shared: text } = known;
  return { sql: [template.text, template.valuesFor(given)], sharing: text === undefined ? undefined : { clock, text } };
}

function make(given: Given, ending: Ending | undefined): Made {
  const { tx, run } = given;
  const [{ kind, stamp }] = run.changes;
  const made = (onConflict = '') =>
    new Template<Given>((add) => (ending ? endingText(add, given, ending, onConflict) : writing(tx, run, add(rowsIn))));
  const goesWithOthers = ending && kind === 'create' && stamp === undefined;
  return { template: made(), shared: goesWithOthers ? made('on conflict do nothing').text : undefined };
}

const organizationIn = ({ run }: Given): string => run.changes[0].organizationId;
const eventsIn = ({ tx, actor, all }: Given): string => eventsOf(tx, actor, all);
const rowsIn = ({ tx, run }: Given): string => rowsOf(tx, run);

function endingText(add: Add<Given>, { tx, run, records }: Given, { reading, isRecorded }: Ending, onConflict: string): string {
  const [{ basis, stamp }] = run.changes;
  // They are the first of the statement, as the text of the basis has it.
  for (const index of basis?.values.keys() ?? []) add((given) => given.run.changes[0].basis?.values[index]);
  const parts = [
    ...(basis ? [`basis as (${basis.sql})`] : []),
    ...(stamp === undefined ? [`tick as (${ticking(add(organizationIn), '1', basis && 'basis')})`] : []),
    `written as (${writing(tx, run, add(rowsIn))} ${onConflict} returning t.*)`,
    `event as (${auditing(tx, run.changes[0], add(eventsIn))})`,
    ...(isRecorded && records.length > 0 ? [`version as (${stamp === undefined ? recordingOne(add) : recording(add, 'written')})`] : []),
  ];
  return `with ${parts.join(', ')} ${reading.sql}`;
}

async function stampsOf(tx: Database, changes: readonly Change[]): Promise<string[]> {
  const stamps: string[] = [];
  for (const organizationId of [...new Set(changes.map((change) => change.organizationId))].sort()) {
    const mine = [...changes.keys()].filter((index) => changes[index]?.organizationId === organizationId);
    const ticks = await tick(tx, organizationId, mine.length);
    for (const [order, index] of mine.entries()) stamps[index] = ticks[order] ?? '';
  }
  return stamps;
}
