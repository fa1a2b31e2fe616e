/** Writes stamped changes with few statements: neighbours that are alike go together, be it one or a thousand. */
import type { EntityClass } from '@mikro-orm/core';
import type { Database } from './connection.js';
import type { Change, ChangeKind } from './journal.js';
import { Values } from './values.js';

/** A change with what it does and its stamp. */
export interface Stamped extends Change {
  readonly kind: ChangeKind;
  /** Left out: what `tick`, of the same statement, gives. */
  readonly stamp?: string | undefined;
}

/**
 * Applies the changes in their order, each record once. Only neighbours share a statement, and updates only when they set `isPrimary` alike or not at all:
 * that mark must leave the first row before the second can have it.
 * @param complete Makes the last statement of what writes the last changes, so that what belongs to them takes no further one. It is told whether
 *   these are all of them.
 * @returns What the last statement gives.
 */
export async function apply<Row extends object>(
  tx: Database,
  changes: readonly Stamped[],
  complete: (written: string, values: Values, isAll: boolean) => string,
): Promise<Row[]> {
  const runs = runsOf(changes);
  let rows: Row[] = [];
  for (const [index, run] of runs.entries()) {
    const values = new Values();
    const written = statementOf(tx, run, values);
    rows = await tx.query<Row>(index === runs.length - 1 ? complete(written, values, index === 0) : written, values.all);
  }
  return rows;
}

/** Alike changes as one statement, to which a `returning` of the rows (`t.*`) may be added. */
function statementOf(tx: Database, run: Run, values: Values): string {
  const [{ kind, entity, key, set, stamp }] = run;
  if (kind === 'delete') {
    const rows = run.map((change) => change.key);
    return deletion(tx, entity, Object.keys(key), rows, values, stamp === undefined);
  }
  const stamps = kind === 'create' ? ['createdAt', 'updatedAt'] : ['updatedAt'];
  const rows = run.map((change) => ({ ...change.key, ...change.set, ...Object.fromEntries(stamps.map((name) => [name, change.stamp])) }));
  const properties = kind === 'create' ? Object.keys({ ...key, ...set }) : propertiesOf(run);
  const [given, ticked] = stamp === undefined ? [properties, stamps] : [[...properties, ...stamps], []];
  return kind === 'create'
    ? insertion(tx, entity, given, rows, values, ticked)
    : updating(tx, entity, Object.keys(key), given, rows, values, ticked);
}

type Run = [Stamped, ...Stamped[]];

function runsOf(changes: readonly Stamped[]): Run[] {
  const runs: Run[] = [];
  let current: string | undefined;
  for (const change of changes) {
    const likeness = likenessOf(change);
    if (likeness === current) runs.at(-1)?.push(change);
    else runs.push([change]);
    current = likeness;
  }
  return runs;
}

/** Equal for changes that one statement can write. What a create leaves out gets its default, so those that go together leave out the same. */
function likenessOf({ kind, entity, key, set = {} }: Stamped): string {
  const properties = kind === 'create' ? Object.keys(set).join() : `isPrimary ${set.isPrimary}`;
  return `${kind} ${entity.name} ${Object.keys(key).join()} ${properties}`;
}

const propertiesOf = (run: Run): string[] => [...new Set(run.flatMap(({ set = {} }) => Object.keys(set)))].sort();

/** An entity's table and columns; the rows of a statement go as one JSON value, which the table's own type reads. */
function tableOf(tx: Database, entity: EntityClass<object>) {
  const { tableName, properties } = tx.em.getMetadata().get(entity);
  const columnOf = (property: string): string => {
    const [column] = (properties as Record<string, { fieldNames: string[] }>)[property]?.fieldNames ?? [];
    if (!column) throw new Error(`${entity.name} has no property ${property}.`);
    return column;
  };
  const json = (rows: readonly object[]) =>
    JSON.stringify(
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([property, value]) => [columnOf(property), inJson(value)]))),
    );
  const list = (names: readonly string[]) => names.map(columnOf);
  return { table: tableName, list, json };
}

/** Another part of the statement, whose instant rows are stamped with. Who reads from it writes nothing before the clock is had. */
const withTick = (isTicking: boolean): string => (isTicking ? ', tick' : '');

/** Bytes as PostgreSQL's own text of them. */
const inJson = (value: unknown): unknown => (value instanceof Buffer ? `\\x${value.toString('hex')}` : value);

/** Inserts rows that have these properties each, in one statement. */
export async function insertRows(
  tx: Database,
  entity: EntityClass<object>,
  properties: readonly string[],
  rows: readonly object[],
): Promise<void> {
  const values = new Values();
  await tx.query(insertion(tx, entity, properties, rows, values), values.all);
}

/**
 * The statement that inserts rows that have these properties each.
 * @param ticked Properties that get the instant of `tick`, another part of the statement.
 */
export function insertion(
  tx: Database,
  entity: EntityClass<object>,
  properties: readonly string[],
  rows: readonly object[],
  values: Values,
  ticked: readonly string[] = [],
): string {
  const { table, list, json } = tableOf(tx, entity);
  const [columns, given] = [list([...properties, ...ticked]), [...list(properties), ...ticked.map(() => 'tick.at')]];
  const from = `jsonb_populate_recordset(null::${table}, ${values.add(json(rows))}::jsonb)${withTick(ticked.length > 0)}`;
  return `insert into ${table} as t (${columns}) select ${given} from ${from}`;
}

/** A property that a row leaves out stays as it is: its record is populated from the stored one. */
function updating(
  tx: Database,
  entity: EntityClass<object>,
  keys: readonly string[],
  properties: readonly string[],
  rows: readonly object[],
  values: Values,
  ticked: readonly string[],
): string {
  const { table, list, json } = tableOf(tx, entity);
  const [columns, given] = [list([...properties, ...ticked]), [...list(properties), ...ticked.map(() => 'tick.at')]];
  return `update ${table} t set (${columns}) = (select ${given} from jsonb_populate_record(t, given.row))
     from jsonb_array_elements(${values.add(json(rows))}::jsonb) as given (row), jsonb_populate_record(null::${table}, given.row) as k${withTick(ticked.length > 0)}
     where ${sameKey(list(keys))}`;
}

function deletion(
  tx: Database,
  entity: EntityClass<object>,
  keys: readonly string[],
  rows: readonly object[],
  values: Values,
  isTicking: boolean,
): string {
  const { table, list, json } = tableOf(tx, entity);
  const from = `jsonb_populate_recordset(null::${table}, ${values.add(json(rows))}::jsonb) as k${withTick(isTicking)}`;
  return `delete from ${table} t using ${from} where ${sameKey(list(keys))}`;
}

const sameKey = (columns: readonly string[]): string => columns.map((column) => `t.${column} = k.${column}`).join(' and ');
