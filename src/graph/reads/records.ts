/** Reads single records. */
import type { GraphQLResolveInfo } from 'graphql';
import { standingOf } from '../../auth/write-check.js';
import type { Context } from '../../context.js';
import type { Database } from '../../database/connection.js';
import type { Actor, Reading } from '../../database/record-changes.js';
import { ApiError } from '../../errors.js';
import { type Columns, columnsFor, plainColumns, type Source } from './projection.js';
import { selectionOf } from './selection.js';

/**
 * Reads the selected columns of one record. In a mutation it is the last statement and commits.
 * @param where SQL with `$n` for the values.
 * @throws {ApiError} `not_found` when no record matches.
 */
export async function readRecord<Row extends object>(
  ctx: Context,
  info: GraphQLResolveInfo,
  source: Source,
  where: string,
  values: readonly unknown[],
): Promise<Row> {
  const { list, from, isWhole } = columnsFor(source, selectionOf(info));
  const text = `select ${list} from ${from} where ${where}`;
  const isLast = isWhole && info.parentType === info.schema.getMutationType();
  const [row] = await ctx.db.query<Row>(text, values, { isLast, isBatched: true });
  if (!row) throw new ApiError('not_found');
  return row;
}

const readings = new WeakMap<Columns, Reading>();

/**
 * The selected columns of a written record, for `recordChanges`. Only reads of nested fields may
 * follow.
 */
export function writtenRecord(info: GraphQLResolveInfo, source: Source): Reading {
  const columns = columnsFor(source, selectionOf(info));
  let reading = readings.get(columns);
  if (!reading) {
    const { list, from, isWhole } = columns;
    reading = { sql: `select ${list} from ${from.replace(/^\w+/, 'written')}`, isLast: isWhole };
    readings.set(columns, reading);
  }
  return reading;
}

/**
 * Reads all plain columns of one record and locks it until the transaction ends; undefined when
 * there is none. Other transactions can still reference the record: a stronger lock would deadlock
 * with an insert that holds the organization's version clock.
 */
export async function lockRecord<Row extends object>(
  tx: Database,
  source: Source,
  where: string,
  values: readonly unknown[],
): Promise<Row | undefined> {
  const [row] = await tx.query<Row>(
    `select ${plainColumns(source)} from ${source.from} where ${where} for no key update`,
    values,
  );
  return row;
}

/** The actor of a write: for the audit, and for the check of its permission. */
export const actorOf = ({ principal, requestId, isRehearsal }: Context): Actor => ({
  userId: principal?.userId ?? null,
  appId: principal?.appId ?? null,
  requestId,
  check: principal && standingOf(principal),
  isRehearsal,
});

/** The properties that an input contains. */
export const sent = <Input extends object>(input: Input): Partial<Input> =>
  Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined),
  ) as Partial<Input>;
