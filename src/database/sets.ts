/** Statements that write a set of rows of one entity, be it one or a thousand. The rows go as one JSON value, which the table's own type reads. */
import type { EntityClass } from '@mikro-orm/core';
import type { Database } from './connection.js';

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

/** What rows get from other parts of their statement, alike in all. */
export interface Shared {
  /** The parts that are read, by name. Who reads from one that writes comes after it. */
  readonly parts: readonly string[];
  /** SQL by property. */
  readonly set: Readonly<Record<string, string>>;
}

const nothing: Shared = { parts: [], set: {} };

/** Columns to set, and what each gets: the value of the row, `own`, or what is shared. */
function assigned(table: Table, properties: readonly string[], { set }: Shared): [columns: string, given: string] {
  const own = list(table, properties);
  return [[...own, ...list(table, Object.keys(set))].join(), [...own.map((column) => `own.${column}`), ...Object.values(set)].join()];
}

const after = ({ parts }: Shared): string => parts.map((part) => `, ${part}`).join('');

/** Rows as the value that the statements below read them from. */
export function toJson(tx: Database, entity: EntityClass<object>, rows: readonly object[]): string {
  const table = tableOf(tx, entity);
  const inColumns = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([property, value]) => [columnOf(table, property), inJson(value)]));
  return JSON.stringify(rows.map(inColumns));
}

/** Bytes as PostgreSQL's own text of them. */
const inJson = (value: unknown): unknown => (value instanceof Buffer ? `\\x${value.toString('hex')}` : value);

/** Inserts rows that have these properties each, in one statement. */
export async function insertRows(
  tx: Database,
  entity: EntityClass<object>,
  properties: readonly string[],
  rows: readonly object[],
): Promise<void> {
  await tx.query(insertion(tx, entity, properties, '$1'), [toJson(tx, entity, rows)]);
}

/**
 * The statement that inserts rows that have these properties each.
 * @param rows The value in the text that has them, of {@link toJson}.
 */
export function insertion(
  tx: Database,
  entity: EntityClass<object>,
  properties: readonly string[],
  rows: string,
  shared = nothing,
): string {
  const table = tableOf(tx, entity);
  const [columns, given] = assigned(table, properties, shared);
  const from = `jsonb_populate_recordset(null::${table.name}, ${rows}::jsonb) as own${after(shared)}`;
  return `insert into ${table.name} as t (${columns}) select ${given} from ${from}`;
}

/** The statement that updates rows by these keys. A property that a row leaves out stays as it is: its record is populated from the stored one. */
export function updating(
  tx: Database,
  entity: EntityClass<object>,
  keys: readonly string[],
  properties: readonly string[],
  rows: string,
  shared: Shared,
): string {
  const table = tableOf(tx, entity);
  const [columns, given] = assigned(table, properties, shared);
  return `update ${table.name} t set (${columns}) = (select ${given} from jsonb_populate_record(t, given.row) as own)
     from jsonb_array_elements(${rows}::jsonb) as given (row), jsonb_populate_record(null::${table.name}, given.row) as k${after(shared)}
     where ${sameKey(list(table, keys))}`;
}

/** The statement that deletes rows by these keys. */
export function deletion(tx: Database, entity: EntityClass<object>, keys: readonly string[], rows: string, shared: Shared): string {
  const table = tableOf(tx, entity);
  const from = `jsonb_populate_recordset(null::${table.name}, ${rows}::jsonb) as k${after(shared)}`;
  return `delete from ${table.name} t using ${from} where ${sameKey(list(table, keys))}`;
}

const sameKey = (columns: readonly string[]): string => columns.map((column) => `t.${column} = k.${column}`).join(' and ');
