/** Maps a selection to the columns of a statement. */
import type { EntityClass } from '@mikro-orm/core';
import { tableOf } from '../../database/columns.js';
import type { Selection } from './selection.js';

/** SQL by field. */
type ColumnsByField = Readonly<Record<string, string>>;

/** The declaration of a GraphQL type's records, besides the entity. */
interface Reads {
  /**
   * Fields that resolvers compute, with the properties that they need. One without a selection
   * below it needs no other read.
   */
  readonly derived?: Readonly<Record<string, readonly string[]>>;
  /** To-one objects joined to the record. */
  readonly joined?: Readonly<
    Record<string, { readonly join: string; readonly columns: ColumnsByField }>
  >;
  /** Properties that are always read: keys and sort keys. */
  readonly always: readonly string[];
}

/** The projection of a GraphQL type: table, columns and joins. */
export interface Projection extends Reads {
  /** The table with its alias: `certifications c`. */
  readonly from: string;
  /**
   * Columns of all properties, including private ones, and of computed fields. Only a `@Field`
   * makes a column readable.
   */
  readonly columns: ColumnsByField;
}

/** The columns of an entity's table, by property. */
export const columnsOf = (entity: EntityClass<object>, alias: string): ColumnsByField =>
  Object.fromEntries(
    Object.entries(tableOf(entity).columns).map(([property, column]) => [
      property,
      `${alias}.${column}`,
    ]),
  );

/**
 * Creates the projection of an entity.
 * @param computed Fields that SQL computes.
 */
export const projectionOf = (
  entity: EntityClass<object>,
  alias: string,
  { computed = {}, ...reads }: Reads & { readonly computed?: ColumnsByField },
): Projection => ({
  from: `${tableOf(entity).name} ${alias}`,
  columns: { ...columnsOf(entity, alias), ...computed },
  ...reads,
});

export interface Columns {
  /** The select list, named by field; `certificationType.slug` for a joined one. */
  readonly list: string;
  readonly from: string;
  /** Whether a record contains all selected fields, so that no resolver reads more. */
  readonly isWhole: boolean;
}

/** Selects all plain fields. */
export const plainColumns = ({ columns }: Projection): string =>
  Object.entries(columns)
    .map(([field, sql]) => `${sql} as "${field}"`)
    .join(', ');

/** Keyed by projection too, because all projections share the empty selection. */
const cache = new WeakMap<Projection, WeakMap<Selection, Columns>>();

export function columnsFor(projection: Projection, selection: Selection): Columns {
  const ofProjection = cache.get(projection) ?? new WeakMap<Selection, Columns>();
  cache.set(projection, ofProjection);
  let columns = ofProjection.get(selection);
  if (!columns) {
    columns = compile(projection, selection);
    ofProjection.set(selection, columns);
  }
  return columns;
}

function compile(
  { from, columns, derived = {}, joined = {}, always }: Projection,
  selection: Selection,
): Columns {
  const asked = [...selection.keys()].flatMap(
    (field) => derived[field] ?? (field in columns ? [field] : []),
  );
  const list = [...new Set([...always, ...asked])].map(
    (field) => `${columns[field]} as "${field}"`,
  );
  const objects = Object.entries(joined).filter(([field]) => selection.has(field));
  for (const [object, { columns: below }] of objects) {
    for (const field of selection.get(object)?.keys() ?? [])
      if (field in below) list.push(`${below[field]} as "${object}.${field}"`);
  }
  const served = new Set([...Object.keys(columns), ...Object.keys(derived), '__typename']);
  const isServed = ([field, below]: [string, Selection]): boolean => {
    if (below.size === 0) return served.has(field);
    return [...below.keys()].every(
      (each) => each === '__typename' || each in (joined[field]?.columns ?? {}),
    );
  };
  const all = [from, ...objects.map(([, { join }]) => join)].join(' ');
  return { list: list.join(', '), from: all, isWhole: [...selection].every(isServed) };
}
