/** Opaque cursors, bound to a list and its filters. */
import { hash } from 'node:crypto';
import { invalid } from '../../errors.js';
import { isDay } from '../../scalars/day.js';

/**
 * The sort key of a row: `updated_at`, then `id`. In lists with another order, `updatedAt` contains
 * another value or none.
 */
export interface Position {
  readonly updatedAt: string;
  readonly id: string;
}

/** Identifies a list: its name and the value of each filter. */
export type ListIdentity = readonly unknown[];

/**
 * A short hash keeps cursors short. It distinguishes lists and needs no secrecy: a cursor never
 * extends what its bearer can read.
 */
const tagOf = (list: ListIdentity): string =>
  hash('sha256', JSON.stringify(list), 'base64url').slice(0, 8);

/** Encodes the cursors of a list from the sort keys of its rows. */
export function encoderOf(list: ListIdentity): (position: Position) => string {
  const tag = tagOf(list);
  return ({ updatedAt, id }) => Buffer.from(`${tag} ${updatedAt} ${id}`).toString('base64url');
}

export const encodeCursor = (list: ListIdentity, position: Position): string =>
  encoderOf(list)(position);

const form = /^[\w-]{8} ([^\0]*) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const instant = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/;
export const isInstant = (text: string): boolean => instant.test(text) && isDay(text.slice(0, 10));

/** For lists in which the id alone determines the position. */
export const byIdAlone = (text: string): boolean => text === '';

/**
 * @param argument The argument name of the cursor, for the error.
 * @param isPlace Whether a text is a valid sort key of the list.
 * @throws {ApiError} `validation_error` when the text is not a cursor of this list with these
 * filters.
 */
export function decodeCursor(
  list: ListIdentity,
  cursor: string,
  argument: string,
  isPlace = isInstant,
): Position {
  const [, updatedAt = '', id = ''] = form.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const position = { updatedAt, id };
  if (!isPlace(updatedAt) || encodeCursor(list, position) !== cursor) {
    throw invalid({
      [argument]: [
        'is not a cursor of this list with these filters: send the cursor as returned, with the same filters',
      ],
    });
  }
  return position;
}
