/** Opaque positions in a list, tied to the list and its filters. */
import { hash } from 'node:crypto';
import { isDay } from '../entities/day.js';
import { invalid } from '../errors.js';

/** A row's place in the order of its list: by `updated_at`, then `id`. Lists in another order have something else, or nothing, for `updatedAt`. */
export interface Position {
  readonly updatedAt: string;
  readonly id: string;
}

/** What makes one list differ from another: its name and the value of each filter. */
export type ListIdentity = readonly unknown[];

/** Short, so that cursors are; it tells lists apart and keeps nothing secret: a cursor never widens what its bearer may read. */
const tagOf = (list: ListIdentity): string => hash('sha256', JSON.stringify(list), 'base64url').slice(0, 8);

/** The cursors of a list, from the positions of its rows. */
export function encoderOf(list: ListIdentity): (position: Position) => string {
  const tag = tagOf(list);
  return ({ updatedAt, id }) => Buffer.from(`${tag} ${updatedAt} ${id}`).toString('base64url');
}

export const encodeCursor = (list: ListIdentity, position: Position): string => encoderOf(list)(position);

const form = /^[\w-]{8} ([^\0]*) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const instant = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/;
export const isInstant = (text: string): boolean => instant.test(text) && isDay(text.slice(0, 10));

/** For lists that the id alone finds the place in. */
export const byIdAlone = (text: string): boolean => text === '';

/**
 * @param argument The name under which a client sent the cursor, for the error.
 * @param isPlace Whether a text can stand for `updatedAt` in the list.
 * @throws {ApiError} `validation_error` when the text is no cursor of this list with these filters.
 */
export function decodeCursor(list: ListIdentity, cursor: string, argument: string, isPlace = isInstant): Position {
  const [, updatedAt = '', id = ''] = form.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const position = { updatedAt, id };
  if (!isPlace(updatedAt) || encodeCursor(list, position) !== cursor) {
    throw invalid({
      [argument]: ['is not a cursor of this list with these filters: send it as you got it, with the same filters'],
    });
  }
  return position;
}
