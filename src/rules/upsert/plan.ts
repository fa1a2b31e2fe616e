/** Plans the rows of a bulk upsert before anything is written. */
import type { Problems } from '../../errors.js';
import { difference } from '../difference.js';

export const upsertOutcomes = ['created', 'updated', 'unchanged', 'failed'] as const;
export type UpsertOutcome = (typeof upsertOutcomes)[number];

/** Values by property: omitted ones are missing, cleared ones are null. */
export type Values = Readonly<Record<string, string | null>>;

/** A parsed row. An invalid value is missing and has a problem. */
export interface UpsertRow {
  readonly values: Values;
  readonly problems: Readonly<Problems>;
}

export interface Plan {
  readonly outcome: UpsertOutcome;
  /** The id of the existing record. */
  readonly id?: string;
  /** The properties to write; empty when nothing changes. */
  readonly set: Readonly<Record<string, unknown>>;
  /** The previous values. */
  readonly from?: Readonly<Record<string, unknown>>;
  readonly problems: Readonly<Problems>;
}

export const fails = (problems: Readonly<Problems>): Plan => ({
  outcome: 'failed',
  set: {},
  problems,
});

export const creates = (set: Plan['set']): Plan => ({ outcome: 'created', set, problems: {} });

/** @param besides Returns additional properties for an edit. */
export function changes(
  stored: Readonly<Record<string, unknown>> & { readonly id: string },
  wanted: Plan['set'],
  besides: (edit: Plan['set']) => object = () => ({}),
): Plan {
  const edit = difference(wanted, stored);
  if (Object.keys(edit).length === 0)
    return { outcome: 'unchanged', id: stored.id, set: {}, problems: {} };
  return {
    outcome: 'updated',
    id: stored.id,
    set: { ...edit, ...besides(edit) },
    from: stored,
    problems: {},
  };
}

/**
 * For each row, the index of the earlier row with the same key.
 * @param keyOf Undefined for a row without the key.
 */
export function repetitions<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | undefined,
): (number | undefined)[] {
  const first = new Map<string, number>();
  return rows.map((row, index) => {
    const key = keyOf(row);
    if (key === undefined) return undefined;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, index);
    return earlier;
  });
}
