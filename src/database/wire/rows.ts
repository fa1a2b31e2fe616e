/** Decodes text-format columns into an object. */
import { LRUCache } from 'lru-cache';
import pg from 'pg';

/** A column of a result: its name, and the type of its values. */
export interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Decodes the columns of a row into an object. */
export type Build = (texts: readonly (string | null)[]) => object;

type Parse = (text: string) => unknown;

/**
 * Converts PostgreSQL's `2026-11-21 03:47:54.12+00` to RFC 3339 with six digits. A `Date` would cut
 * the microseconds.
 */
function toRfc3339(text: string): string {
  if (!text.endsWith('+00'))
    throw new Error(
      `PostgreSQL sent ${text}, which is not in UTC: set the timezone of its role to UTC`,
    );
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
  // Timestamptz[].
  types.setTypeParser(1185, (text: string) => textArray(text).map((one) => one && toRfc3339(one)));
  return types;
}

/** Decoder per type; for other types `pg`'s own. */
export const parsers = createParsers();

/** Decoders by columns. Generated literals give all records of a statement the same shape. */
const builds = new LRUCache<string, Build>({ max: 2000 });

/** Types that are returned as PostgreSQL writes them. */
const { TEXT, VARCHAR, UUID, DATE } = pg.types.builtins;
const plain: ReadonlySet<number> = new Set([TEXT, VARCHAR, UUID, DATE]);

/**
 * @param fields A column `type.slug` is the property `slug` of an object `type` within the record.
 */
export function recordsOf(fields: readonly Field[]): Build {
  const key = fields.map(({ name, dataTypeID }) => `${dataTypeID} ${name}`).join('\n');
  let build = builds.get(key);
  if (!build) {
    const columns = fields.map(
      ({ name, dataTypeID }, index): Column => [name.split('.'), valueAt(dataTypeID, index)],
    );
    const parse = fields.map(
      ({ dataTypeID }) => parsers.getTypeParser(dataTypeID, 'text') as Parse,
    );
    build = new Function('parse', `return (texts) => (${literalOf(columns)})`)(parse) as Build;
    builds.set(key, build);
  }
  return build;
}

type Column = readonly [path: readonly string[], value: string];

const valueAt = (type: number, index: number): string =>
  plain.has(type)
    ? `texts[${index}]`
    : `texts[${index}] === null ? null : parse[${index}](texts[${index}])`;

function literalOf(columns: readonly Column[]): string {
  const properties = Map.groupBy(columns, ([[name]]) => name);
  const values = [...properties].map(([name, below]) => {
    const own = below.findLast(([path]) => path.length === 1);
    const value = own ? own[1] : literalOf(below.map(([path, text]) => [path.slice(1), text]));
    return `${JSON.stringify(name)}: ${value}`;
  });
  return `{ ${values.join(', ')} }`;
}
