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

/** What a row that is written alone gets from other parts of its statement. PostgreSQL plans for one row, then. */
export interface Lone {
  /** The parts that are read, by name. Who reads from one that writes comes after it. */
  readonly parts: readonly string[];
  /** SQL by property. */
  readonly set: Readonly<Record<string, string>>;
}

/** Columns to set, and what each gets: the value of the row, `own`, or that of another part. */
function assigned(table: Table, properties: readonly string[], { set }: Pick<Lone, 'set'> = { set: {} }): [columns: string, given: string] {
  const own = list(table, properties);
  return [[...own, ...list(table, Object.keys(set))].join(), [...own.map((column) => `own.${column}`), ...Object.values(set)].join()];
}

/** Where a statement reads its rows, and what else it reads. */
const populated = ({ name }: Table, rows: string, alias: string, lone: Lone | undefined): string =>
  `jsonb_populate_record${lone ? '' : 'set'}(null::${name}, ${rows}::jsonb) as ${alias}${after(lone)}`;

const after = (lone: Lone | undefined): string => (lone?.parts ?? []).map((part) => `, ${part}`).join('');

/** Rows as the value that the statements below read them from. */
export function toJson(tx: Database, entity: EntityClass<object>, rows: readonly object[], isLone = false): string {
  const table = tableOf(tx, entity);
  const all = rows.map((row) => {
    const columns: Record<string, unknown> = {};
    for (const [property, value] of Object.entries(row)) columns[columnOf(table, property)] = inJson(value);
    return columns;
  });
  return JSON.stringify(isLone ? all[0] : all);
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
export function insertion(tx: Database, entity: EntityClass<object>, properties: readonly string[], rows: string, lone?: Lone): string {
  const table = tableOf(tx, entity);
  const [columns, given] = assigned(table, properties, lone);
  return `insert into ${table.name} as t (${columns}) select ${given} from ${populated(table, rows, 'own', lone)}`;
}

/** The statement that updates rows by these keys. A property that a row leaves out stays as it is: its record is populated from the stored one. */
export function updating(
  tx: Database,
  entity: EntityClass<object>,
  keys: readonly string[],
  properties: readonly string[],
  rows: string,
  lone?: Lone,
): string {
  const table = tableOf(tx, entity);
  const [columns, given] = assigned(table, properties, lone);
  const all = lone ? `(select ${rows}::jsonb)` : `jsonb_array_elements(${rows}::jsonb)`;
  return `update ${table.name} t set (${columns}) = (select ${given} from jsonb_populate_record(t, given.row) as own)
     from ${all} as given (row), jsonb_populate_record(null::${table.name}, given.row) as k${after(lone)}
     where ${sameKey(list(table, keys))}`;
}

/** The statement that deletes rows by these keys. */
export function deletion(tx: Database, entity: EntityClass<object>, keys: readonly string[], rows: string, lone?: Lone): string {
  const table = tableOf(tx, entity);
  return `delete from ${table.name} t using ${populated(table, rows, 'k', lone)} where ${sameKey(list(table, keys))}`;
}

const sameKey = (columns: readonly string[]): string => columns.map((column) => `t.${column} = k.${column}`).join(' and ');
