/** Statements that write a set of rows of one entity, be it one or a thousand. The rows go as one JSON value, which the table's own type reads. */
import type { EntityClass } from '@mikro-orm/core';
import type { Database } from './connection.js';
import { Values } from './values.js';

/** An entity's table, and the column of each of its properties. */
interface Table {
  readonly name: string;
  readonly columns: ReadonlyMap<string, string>;
}

const tables = new WeakMap<EntityClass<object>, Table>();

function tableOf(tx: Database, entity: EntityClass<object>): Table {
  let table = tables.get(entity);
  if (!table) {
    const { tableName, props } = tx.em.getMetadata().get(entity);
    table = { name: tableName, columns: new Map(props.flatMap(({ name, fieldNames: [column] = [] }) => (column ? [[name, column]] : []))) };
    tables.set(entity, table);
  }
  return table;
}

function columnOf({ name, columns }: Table, property: string): string {
  const column = columns.get(property);
  if (!column) throw new Error(`${name} has no column for ${property}.`);
  return column;
}

const list = (table: Table, properties: readonly string[]): string[] => properties.map((property) => columnOf(table, property));

/** Columns to set, and what each gets: the row's own value, or the instant of `tick`. */
function assigned(table: Table, properties: readonly string[], ticked: readonly string[]): [columns: string, given: string] {
  const own = list(table, properties);
  return [[...own, ...list(table, ticked)].join(), [...own, ...ticked.map(() => 'tick.at')].join()];
}

function json(table: Table, rows: readonly object[]): string {
  const inColumns = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([property, value]) => [columnOf(table, property), inJson(value)]));
  return JSON.stringify(rows.map(inColumns));
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
  const table = tableOf(tx, entity);
  const [columns, given] = assigned(table, properties, ticked);
  const from = `jsonb_populate_recordset(null::${table.name}, ${values.add(json(table, rows))}::jsonb)${withTick(ticked.length > 0)}`;
  return `insert into ${table.name} as t (${columns}) select ${given} from ${from}`;
}

/** The statement that updates rows by these keys. A property that a row leaves out stays as it is: its record is populated from the stored one. */
export function updating(
  tx: Database,
  entity: EntityClass<object>,
  keys: readonly string[],
  properties: readonly string[],
  rows: readonly object[],
  values: Values,
  ticked: readonly string[],
): string {
  const table = tableOf(tx, entity);
  const [columns, given] = assigned(table, properties, ticked);
  return `update ${table.name} t set (${columns}) = (select ${given} from jsonb_populate_record(t, given.row))
     from jsonb_array_elements(${values.add(json(table, rows))}::jsonb) as given (row), jsonb_populate_record(null::${table.name}, given.row) as k${withTick(ticked.length > 0)}
     where ${sameKey(list(table, keys))}`;
}

/** The statement that deletes rows by these keys. */
export function deletion(
  tx: Database,
  entity: EntityClass<object>,
  keys: readonly string[],
  rows: readonly object[],
  values: Values,
  isTicking: boolean,
): string {
  const table = tableOf(tx, entity);
  const from = `jsonb_populate_recordset(null::${table.name}, ${values.add(json(table, rows))}::jsonb) as k${withTick(isTicking)}`;
  return `delete from ${table.name} t using ${from} where ${sameKey(list(table, keys))}`;
}

const sameKey = (columns: readonly string[]): string => columns.map((column) => `t.${column} = k.${column}`).join(' and ');
