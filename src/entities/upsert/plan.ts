/** What a bulk upsert does with each of its rows, told before anything is written. */
import type { Problems } from '../../errors.js';
import { difference } from '../difference.js';

export const upsertOutcomes = ['created', 'updated', 'unchanged', 'failed'] as const;
export type UpsertOutcome = (typeof upsertOutcomes)[number];

/** Properties by name; what was left out is missing, what was cleared is null. */
export type Values = Readonly<Record<string, string | null>>;

/** A row as it was read: what is wrong with a value is among the problems, and the value is missing. */
export interface UpsertRow {
  readonly values: Values;
  readonly problems: Readonly<Problems>;
}

export interface Plan {
  readonly outcome: UpsertOutcome;
  /** The record that the row found. */
  readonly id?: string;
  /** What to write; empty when nothing is. */
  readonly set: Readonly<Record<string, unknown>>;
  /** What the record had. */
  readonly from?: Readonly<Record<string, unknown>>;
  readonly problems: Readonly<Problems>;
}

export const fails = (problems: Readonly<Problems>): Plan => ({ outcome: 'failed', set: {}, problems });

export const creates = (set: Plan['set']): Plan => ({ outcome: 'created', set, problems: {} });

/** @param besides What the properties that change bring with them. */
export function changes(
  stored: Readonly<Record<string, unknown>> & { readonly id: string },
  wanted: Plan['set'],
  besides: (edit: Plan['set']) => object = () => ({}),
): Plan {
  const edit = difference(wanted, stored);
  if (Object.keys(edit).length === 0) return { outcome: 'unchanged', id: stored.id, set: {}, problems: {} };
  return { outcome: 'updated', id: stored.id, set: { ...edit, ...besides(edit) }, from: stored, problems: {} };
}

/**
 * For each row the number of the earlier row with the same key, both from 0.
 * @param keyOf Undefined for a row without the key.
 */
export function repetitions<Row>(rows: readonly Row[], keyOf: (row: Row) => string | undefined): (number | undefined)[] {
  const first = new Map<string, number>();
  return rows.map((row, index) => {
    const key = keyOf(row);
    if (key === undefined) return undefined;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    return earlier;
  });
}
