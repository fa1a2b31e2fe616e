/** From a selection to the columns of one statement. */
import type { Selection } from './selection.js';

/** Where the records of a GraphQL type are read from. */
export interface Source {
  /** The table with its alias: `certifications c`. */
  readonly from: string;
  /** The SQL of each plain field. */
  readonly columns: Readonly<Record<string, string>>;
  /** Fields that resolvers compute, and the plain fields that they need. */
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
  /** Moves joined columns into objects of their own, in place. */
  readonly nest: <Row extends object>(rows: Row[]) => Row[];
}

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
  const moves: [alias: string, object: string, field: string][] = [];
  for (const [object, { columns: below }] of objects) {
    for (const field of selection.get(object)?.keys() ?? []) {
      if (!(field in below)) continue;
      const alias = `${object}.${field}`;
      list.push(`${below[field]} as "${alias}"`);
      moves.push([alias, object, field]);
    }
  }
  return {
    list: list.join(', '),
    from: [from, ...objects.map(([, { join }]) => join)].join(' '),
    nest: nester(
      objects.map(([field]) => field),
      moves,
    ),
  };
}

function nester(objects: string[], moves: [string, string, string][]): Columns['nest'] {
  return (rows) => {
    if (objects.length === 0) return rows;
    for (const row of rows as Record<string, unknown>[]) {
      for (const object of objects) row[object] = {};
      for (const [alias, object, field] of moves) (row[object] as Record<string, unknown>)[field] = row[alias];
    }
    return rows;
  };
}
