/** Reading single records. */
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../context.js';
import type { Database } from '../database/connection.js';
import type { Actor, Reading } from '../database/journal.js';
import { ApiError, invalid } from '../errors.js';
import { selectionOf } from './selection.js';
import { columnsFor, plainColumns, type Source } from './source.js';

/**
 * The columns that a field's selection asks for, of the one record that fits. A mutation does it last: what it writes is committed with it.
 * @param where SQL with `$n` for the values.
 * @throws {ApiError} `not_found` when none fits.
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
  const [row] = await (isLast ? ctx.db.conclude<Row>(text, values) : ctx.db.find<Row>(text, values));
  if (!row) throw new ApiError('not_found');
  return row;
}

/** The columns that a field's selection asks for, of what was just written: for `write`, which nothing may follow but a read of fields below. */
export function writtenRecord(info: GraphQLResolveInfo, source: Source): Reading {
  const { list, from, isWhole } = columnsFor(source, selectionOf(info));
  return { sql: `select ${list} from ${from.replace(/^\w+/, 'written')}`, isLast: isWhole };
}

/**
 * All plain columns of one record, locked until the transaction ends; undefined when there is none. The lock lets others refer to the record meanwhile: a
 * stronger one would deadlock with an insert that holds the organization's clock.
 */
export async function lockRecord<Row extends object>(
  tx: Database,
  source: Source,
  where: string,
  values: readonly unknown[],
): Promise<Row | undefined> {
  const [row] = await tx.query<Row>(`select ${plainColumns(source)} from ${source.from} where ${where} for no key update`, values);
  return row;
}

/** Who writes, for the audit. */
export const actorOf = ({ principal, requestId }: Context): Actor => ({
  userId: principal?.userId ?? null,
  appId: principal?.appId ?? null,
  requestId,
});

/** What an input sets: the properties that were sent. */
export const sent = <Input extends object>(input: Input): Partial<Input> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<Input>;

/** @throws {ApiError} `validation_error` for each of the properties that was sent as null. */
export function refuseNull<Input extends object>(input: Input, ...properties: (keyof Input & string)[]): void {
  const nulls = properties.filter((property) => input[property] === null);
  if (nulls.length > 0) throw invalid(Object.fromEntries(nulls.map((property) => [property, ['must not be null']])));
}
