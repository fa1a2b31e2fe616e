/** From the texts of a row to its record. */
import { LRUCache } from 'lru-cache';
import pg from 'pg';

/** A column of a result: its name, and the type of its values. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** From the texts of a row to its record. */
export type Build = (texts: readonly (string | null)[]) => object;

type Parse = (text: string) => unknown;

/** `2026-11-21 03:47:54.12+00`, as PostgreSQL writes it, to RFC 3339 with six digits. A `Date` between would cut the microseconds. */
function toRfc3339(text: string): string {
  if (!text.endsWith('+00')) throw new Error(`PostgreSQL sent ${text}, which isn't in UTC: set the timezone of its role to UTC`);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(6, '0')}Z`;
}

function createParsers(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  const { INT8, DATE, TIMESTAMPTZ } = pg.types.builtins;
  const textArray = types.getTypeParser(1009) as unknown as (text: string) => (string | null)[];
  types.setTypeParser(INT8, Number);
  types.setTypeParser(DATE, (text) => text);
  types.setTypeParser(TIMESTAMPTZ, toRfc3339);
  types.setTypeParser(1182, textArray); // date[]
  types.setTypeParser(1185, (text: string) => textArray(text).map((one) => one && toRfc3339(one))); // timestamptz[]
  return types;
}

/** What becomes of the values of each type; of others `pg`'s own. */
export const parsers = createParsers();

/** By columns. Writing the records out as literals lets all of one statement share their shape. */
const builds = new LRUCache<string, Build>({ max: 2000 });

/** Types that are given out as PostgreSQL writes them. */
const { TEXT, VARCHAR, UUID, DATE } = pg.types.builtins;
const plain: ReadonlySet<number> = new Set([TEXT, VARCHAR, UUID, DATE]);

/** @param fields A column `type.slug` is the property `slug` of an object `type` within the record. */
export function recordsOf(fields: readonly Field[]): Build {
  const key = fields.map(({ name, dataTypeID }) => `${dataTypeID} ${name}`).join('\n');
  let build = builds.get(key);
  if (!build) {
    const columns = fields.map(({ name, dataTypeID }, index): Column => [name.split('.'), valueAt(dataTypeID, index)]);
    const parse = fields.map(({ dataTypeID }) => parsers.getTypeParser(dataTypeID, 'text') as Parse);
    build = new Function('parse', `return (texts) => (${literalOf(columns)})`)(parse) as Build;
    builds.set(key, build);
  }
  return build;
}

type Column = readonly [path: readonly string[], value: string];

const valueAt = (type: number, index: number): string =>
  plain.has(type) ? `texts[${index}]` : `texts[${index}] === null ? null : parse[${index}](texts[${index}])`;

function literalOf(columns: readonly Column[]): string {
  const properties = Map.groupBy(columns, ([[name]]) => name);
  const values = [...properties].map(([name, below]) => {
    const own = below.findLast(([path]) => path.length === 1);
    const value = own ? own[1] : literalOf(below.map(([path, text]) => [path.slice(1), text]));
    return `${JSON.stringify(name)}: ${value}`;
  });
  return `{ ${values.join(', ')} }`;
}
