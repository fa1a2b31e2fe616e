/** From the values of a result to its records. */
import { LRUCache } from 'lru-cache';

type Build = (rows: readonly unknown[][]) => object[];

/** By the names of the columns. Writing the records out as literals lets all of one statement share their shape. */
const builders = new LRUCache<string, Build>({ max: 2000 });

/** @param names Of the columns. `type.slug` is the property `slug` of an object `type` within the record. */
export function toRecords(names: readonly string[], rows: readonly unknown[][]): object[] {
  const key = names.join('\n');
  let build = builders.get(key);
  if (!build) {
    build = new Function('rows', `return rows.map((row) => (${literalOf(names.map((name, index) => [name.split('.'), index]))}))`) as Build;
    builders.set(key, build);
  }
  return build(rows);
}

type Column = readonly [path: readonly string[], index: number];

function literalOf(columns: readonly Column[]): string {
  const properties = Map.groupBy(columns, ([[name]]) => name);
  const values = [...properties].map(([name, below]) => {
    const own = below.findLast(([path]) => path.length === 1);
    const value = own ? `row[${own[1]}]` : literalOf(below.map(([path, index]) => [path.slice(1), index]));
    return `${JSON.stringify(name)}: ${value}`;
  });
  return `{ ${values.join(', ')} }`;
}
