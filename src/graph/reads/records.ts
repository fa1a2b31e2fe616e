/** Reads single records. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import type { Database } from '../../database/connection.js';
import type { Actor, Reading } from '../../database/record-changes.js';
import type { Sql } from '../../database/wire/client.js';
import { ApiError } from '../../errors.js';
import { columnsFor, type Projection, plainColumns } from './projection.js';
import { selectionOf } from './selection.js';

/** Reads by field of a document, and by source and condition. */
const readings = new WeakMap<GraphQLResolveInfo['fieldNodes'], Map<string, Reading>>();

/**
 * The statement that reads the selected columns of a record, or of several. For one that may commit
 * (`isLast`), only reads of nested fields may follow.
 * @param where SQL with `$n` for the values, and the order of several records; undefined for the
 * record that was just written.
 */
export function readingOf(info: GraphQLResolveInfo, source: Projection, where?: string): Reading {
  let ofField = readings.get(info.fieldNodes);
  if (!ofField) {
    ofField = new Map();
    readings.set(info.fieldNodes, ofField);
  }
  const id = `${source.from} ${where}`;
  let reading = ofField.get(id);
  if (!reading) {
    const { list, from, isWhole } = columnsFor(source, selectionOf(info));
    const rows = where ? `${from} where ${where}` : from.replace(/^\w+/, 'written');
    const isLast = isWhole && info.parentType === info.schema.getMutationType();
    reading = { sql: `select ${list} from ${rows}`, isLast };
    ofField.set(id, reading);
  }
  return reading;
}

/**
 * Reads the selected columns of one record; undefined when no record matches. In a mutation it is
 * the last statement and commits.
 * @param where SQL with `$n` for the values.
 */
export async function findRecord<Row extends object>(
  ctx: Context,
  info: GraphQLResolveInfo,
  source: Projection,
  where: string,
  values: readonly unknown[],
): Promise<Row | undefined> {
  const { sql, isLast } = readingOf(info, source, where);
  const [row] = await ctx.db.query<Row>(sql, values, { isLast, isBatched: true });
  return row;
}

/**
 * As {@link findRecord}.
 * @throws {ApiError} `not_found` when no record matches.
 */
export async function readRecord<Row extends object>(
  ...args: Parameters<typeof findRecord>
): Promise<Row> {
  const row = await findRecord<Row>(...args);
  if (!row) throw new ApiError('not_found');
  return row;
}

/**
 * Reads all plain columns of one record and locks it until the transaction ends; undefined when
 * there is none. Other transactions can still reference the record: a stronger lock would deadlock
 * with an insert that holds the organization's version clock.
 * @param next Sent in the same round trip; its snapshot is later than the lock.
 */
export async function lockRecord<Row extends object>(
  tx: Database,
  source: Projection,
  where: string,
  values: readonly unknown[],
  next?: () => Promise<void>,
): Promise<Row | undefined> {
  const sql: Sql = [
    `select ${plainColumns(source)} from ${source.from} where ${where} for no key update`,
    values,
  ];
  const locked = next ? tx.prepend(sql) : tx.query(...sql);
  await next?.();
  const [row] = await locked;
  return row as Row | undefined;
}

/** The actor of a write: for the audit, and for the check of its permission. */
export const actorOf = ({ principal, requestId, isRehearsal }: Context): Actor => ({
  userId: principal?.userId ?? null,
  appId: principal?.appId ?? null,
  requestId,
  check: principal?.writeCheck,
  isRehearsal,
});

/** The properties that an input contains. */
export function sent<Input extends object>(input: Input): Partial<Input> {
  const given: Partial<Input> = {};
  for (const name in input) if (input[name] !== undefined) given[name] = input[name];
  return given;
}
