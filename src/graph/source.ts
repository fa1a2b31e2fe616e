/** From a selection to the columns of one statement. */
import type { Selection } from './selection.js';

/** Where the records of a GraphQL type are read from. */
export interface Source {
  /** The table with its alias: `certifications c`. */
  readonly from: string;
  /** The SQL of each plain field. */
  readonly columns: Readonly<Record<string, string>>;
  /** Fields that resolvers compute, and the plain fields that they need. Those that have no fields below them need nothing else. */
  readonly derived?: Readonly<Record<string, readonly string[]>>;
  /** To-one objects that are read with the record. */
  readonly joined?: Readonly<Record<string, { readonly join: string; readonly columns: Readonly<Record<string, string>> }>>;
  /** Plain fields that are always read: keys and the order of lists. */
  readonly always: readonly string[];
}

export interface Columns {
  /** The select list, named by field; `certificationType.slug` for a joined one. */
  readonly list: string;
  readonly from: string;
  /** Whether a record has all that is asked for: no resolver below it reads anything. */
  readonly isWhole: boolean;
}

/** All plain fields, each named. */
export const plainColumns = ({ columns }: Source): string =>
  Object.entries(columns)
    .map(([field, sql]) => `${sql} as "${field}"`)
    .join(', ');

/** By source, too: a selection of no fields is the same one for all. */
const cache = new WeakMap<Source, WeakMap<Selection, Columns>>();

export function columnsFor(source: Source, selection: Selection): Columns {
  const ofSource = cache.get(source) ?? new WeakMap<Selection, Columns>();
  cache.set(source, ofSource);
  let columns = ofSource.get(selection);
  if (!columns) {
    columns = compile(source, selection);
    ofSource.set(selection, columns);
  }
  return columns;
}

function compile({ from, columns, derived = {}, joined = {}, always }: Source, selection: Selection): Columns {
  const asked = [...selection.keys()].flatMap((field) => derived[field] ?? (field in columns ? [field] : []));
  const list = [...new Set([...always, ...asked])].map((field) => `${columns[field]} as "${field}"`);
  const objects = Object.entries(joined).filter(([field]) => selection.has(field));
  for (const [object, { columns: below }] of objects) {
    for (const field of selection.get(object)?.keys() ?? []) if (field in below) list.push(`${below[field]} as "${object}.${field}"`);
  }
  const served = new Set([...Object.keys(columns), ...Object.keys(derived), '__typename']);
  const isServed = ([field, below]: [string, Selection]): boolean => {
    if (below.size === 0) return served.has(field);
    return [...below.keys()].every((each) => each === '__typename' || each in (joined[field]?.columns ?? {}));
  };
  const all = [from, ...objects.map(([, { join }]) => join)].join(' ');
  return { list: list.join(', '), from: all, isWhole: [...selection].every(isServed) };
}
