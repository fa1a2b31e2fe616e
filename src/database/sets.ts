/** Statements that write a set of rows of one entity, be it one or a thousand. The rows go as one JSON value, which the table's own type reads. */
import type { EntityClass } from '@mikro-orm/core';
import type { Database } from './connection.js';
import { Values } from './values.js';

/** An entity's table and columns, and its rows as JSON. */
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
  /** Columns to set, and what each gets: the row's own value, or the instant of `tick`. */
  const assigned = (properties: readonly string[], ticked: readonly string[]) => [
    list([...properties, ...ticked]),
    [...list(properties), ...ticked.map(() => 'tick.at')],
  ];
  return { table: tableName, list, json, assigned };
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
  const { table, json, assigned } = tableOf(tx, entity);
  const [columns, given] = assigned(properties, ticked);
  const from = `jsonb_populate_recordset(null::${table}, ${values.add(json(rows))}::jsonb)${withTick(ticked.length > 0)}`;
  return `insert into ${table} as t (${columns}) select ${given} from ${from}`;
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
  const { table, list, json, assigned } = tableOf(tx, entity);
  const [columns, given] = assigned(properties, ticked);
  return `update ${table} t set (${columns}) = (select ${given} from jsonb_populate_record(t, given.row))
     from jsonb_array_elements(${values.add(json(rows))}::jsonb) as given (row), jsonb_populate_record(null::${table}, given.row) as k${withTick(ticked.length > 0)}
     where ${sameKey(list(keys))}`;
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
  const { table, list, json } = tableOf(tx, entity);
  const from = `jsonb_populate_recordset(null::${table}, ${values.add(json(rows))}::jsonb) as k${withTick(isTicking)}`;
  return `delete from ${table} t using ${from} where ${sameKey(list(keys))}`;
}

const sameKey = (columns: readonly string[]): string => columns.map((column) => `t.${column} = k.${column}`).join(' and ');
