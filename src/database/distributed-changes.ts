/**
 * Writes changes on a Citus cluster: a statement for each table and kind of change, because the
 * coordinator would run one that writes several tables in pieces. A transaction that writes what
 * one organization has for itself is committed by one node.
 */
import {
  type Actor,
  auditRows,
  auditTable,
  CallerChanged,
  type Change,
  columnOf,
  insertionOf,
  type StampedChange,
  stampedProperties,
  toJson,
  type VersionedRecord,
  versionsFrom,
} from './change-statements.js';
import { tableOf } from './columns.js';
import type { Database } from './connection.js';
import { isReference, takingVersions } from './placements.js';
import { stampsBefore } from './version-clock.js';
import type { Sql } from './wire/client.js';

/** A change with its stamp, and with the properties that it takes from its basis. */
type Prepared = Change & { readonly stamp: string };

/**
 * Takes the stamps, checks the actor in a later snapshot, and reads the basis of an only change: in
 * one round trip for each organization.
 * @returns Undefined when there is no such basis.
 * @throws {CallerChanged}
 */
export async function prepareDistributed(
  tx: Database,
  { check }: Actor,
  changes: readonly Change[],
): Promise<Prepared[] | undefined> {
  const prepared: Prepared[] = [];
  const [{ basis } = {}] = changes;
  for (const id of [...new Set(changes.map(({ organizationId }) => organizationId))].sort()) {
    const mine = [...changes.keys()].filter((index) => changes[index]?.organizationId === id);
    const isShared = mine.some((index) => isReferenceChange(changes[index] as Change));
    const statements: Sql[] = [[takingVersions, [id, mine.length, isShared]]];
    if (check) statements.push([check.sql, check.valuesFor(id)]);
    if (basis) statements.push(readingBasis(basis));
    const results = await sendTogether(tx, statements);
    if (check && results[1]?.length === 0)
      throw new CallerChanged('The caller may not write as they might when the rules were checked');
    const taken = basis ? results.at(-1)?.[0] : {};
    if (!taken) return undefined;
    const [{ at } = { at: '' }] = results[0] as { at: string }[];
    for (const [order, stamp] of stampsBefore(at, mine.length).entries()) {
      const index = mine[order] as number;
      const { set, ...change } = changes[index] as Change;
      prepared[index] = { ...change, ...(set && { set: { ...set, ...taken } }), stamp };
    }
  }
  return prepared;
}

/** Whether a change writes a table that is copied to each node. */
const isReferenceChange = ({ entity }: Change): boolean => isReference(tableOf(entity).name);

function readingBasis({ sql, values, set }: NonNullable<Change['basis']>): Sql {
  const columns = Object.entries(set).map(([name, column]) => `${column} as "${name}"`);
  return [`select ${columns.join(', ')} from (${sql}) basis`, values];
}

/** Sends statements in one message. @returns The rows of each. */
export async function sendTogether(
  tx: Database,
  statements: readonly Sql[],
  isLast = false,
): Promise<object[][]> {
  const ahead = statements.slice(0, -1).map((sql) => tx.prepend(sql));
  const last = statements.at(-1);
  const rows = last ? await tx.query<object>(...last, { isLast }) : [];
  return [...(await Promise.all(ahead)), rows];
}

interface Reading {
  readonly sql: string;
  readonly values?: readonly unknown[];
  readonly isLast: boolean;
}

/**
 * Writes stamped changes with their history and audit events.
 * @param reading Reads `written`, the row of the only change, unless it has values.
 */
export async function writeDistributed<Row>(
  tx: Database,
  actor: Actor,
  changes: readonly StampedChange[],
  versions: readonly VersionedRecord[],
  reading: Reading | undefined,
): Promise<Row[]> {
  if (changes.length === 0) return [];
  const statements = runsOf(changes).map(statementOf);
  for (const [id, records] of Map.groupBy(versions, ({ organizationId }) => organizationId))
    statements.push(versionsOf(actor, id, records));
  statements.push(insertionOf(auditTable, auditRows(actor, changes)));
  const [first] = changes;
  if (reading && first)
    statements.push(reading.values ? [reading.sql, reading.values] : readingOf(first, reading.sql));
  const rows = (await sendTogether(tx, statements, reading?.isLast)).at(-1) as Row[];
  return reading ? rows : [];
}

type Values = Readonly<Record<string, unknown>>;
type Run = [StampedChange, ...StampedChange[]];

/** Neighbours that one statement can write: they have the same properties, and `isPrimary` alike. */
function runsOf(changes: readonly StampedChange[]): Run[] {
  const runs: Run[] = [];
  let previous: string | undefined;
  for (const change of changes) {
    const { kind, entity, key, set = {}, organizationId } = change;
    const shape = [Object.keys(key), Object.keys(set).sort(), set.isPrimary, organizationId].join();
    const likeness = `${kind} ${entity.name} ${shape}`;
    const run = runs.at(-1);
    if (run && likeness === previous) run.push(change);
    else runs.push([change]);
    previous = likeness;
  }
  return runs;
}

/** The row that a change writes, with its stamps. */
function rowOf(change: StampedChange): Values {
  const stamps = stampedProperties(change).map((name) => [name, change.stamp]);
  return { ...change.key, ...change.set, ...Object.fromEntries(stamps) };
}

function statementOf(run: Run): Sql {
  const [change] = run;
  const { kind, entity, key, set = {}, organizationId } = change;
  const table = tableOf(entity);
  const rows = run.map(rowOf);
  if (kind === 'create') return insertionOf(table, rows);
  const isSame = Object.keys(key).map((name) => columnOf(table, name));
  const written = [...Object.keys(set), ...stampedProperties(change)].map((name) =>
    columnOf(table, name),
  );
  // The organization as a value, which tells the node.
  const values: unknown[] = [toJson(table, rows, false)];
  const node =
    'organizationId' in key ? ` and t.organization_id = $${values.push(organizationId)}` : '';
  const from = `jsonb_populate_recordset(null::${table.name}, $1::jsonb) own
    where ${isSame.map((column) => `t.${column} = own.${column}`).join(' and ')}${node}`;
  if (kind === 'delete') return [`delete from ${table.name} t using ${from}`, values];
  const assigned = written.map((column) => `${column} = own.${column}`);
  return [`update ${table.name} t set ${assigned.join(', ')} from ${from}`, values];
}

/** The statement that adds a version of each certification as stored now. */
function versionsOf(
  { userId, appId, requestId }: Actor,
  organizationId: string,
  records: readonly VersionedRecord[],
): Sql {
  return [
    addingVersions,
    [
      organizationId,
      records.map(({ id }) => id),
      records.map(({ effectiveOn }) => effectiveOn ?? null),
      records.map(({ reason }) => reason ?? null),
      userId,
      appId,
      requestId,
    ],
  ];
}

const addingVersions = versionsFrom(
  ['given.effective_on', 'given.reason', '$5::uuid', '$6::uuid', '$7::text'],
  `certifications c join unnest($2::uuid[], $3::date[], $4::text[]) as given (id, effective_on, reason)
    on c.id = given.id where c.organization_id = $1`,
);

function readingOf({ entity, key }: StampedChange, reading: string): Sql {
  const { name } = tableOf(entity);
  const where = Object.keys(key).map(
    (property, index) => `${columnOf(tableOf(entity), property)} = $${index + 1}`,
  );
  return [
    `with written as (select * from ${name} where ${where.join(' and ')}) ${reading}`,
    Object.values(key),
  ];
}
