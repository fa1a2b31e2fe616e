import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import type { Database } from '../../database/connection.js';
import { observer } from '../../observer.js';

/**
 * The loader of one field in one request: collects the keys of all parents and reads their values
 * in one batch. Equal keys are read once.
 * @param variant Separates loaders of one field whose statement depends on more than the field.
 */
export function batch<Key, Value>(
  ctx: Context,
  info: GraphQLResolveInfo,
  variant: string,
  load: (keys: readonly Key[]) => Promise<readonly Value[]>,
): DataLoader<Key, Value, string> {
  const variants = (ctx.loaders.get(info.fieldNodes) ?? new Map()) as Map<
    string,
    DataLoader<Key, Value, string>
  >;
  ctx.loaders.set(info.fieldNodes, variants);
  let loader = variants.get(variant);
  if (!loader) {
    const field = `${info.parentType.name}.${info.fieldName}`;
    const read = (keys: readonly Key[]) =>
      observer ? observer.batch(field, keys.length, () => load(keys)) : load(keys);
    loader = new DataLoader(read, { cacheKeyFn: (key) => JSON.stringify(key), maxBatchSize: 5000 });
    variants.set(variant, loader);
  }
  return loader;
}

/** Orders values by their keys, from rows that contain their key. */
export function group<Row>(
  keys: readonly string[],
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Row[][] {
  const groups = new Map<string, Row[]>(keys.map((key) => [key, []]));
  for (const row of rows) groups.get(keyOf(row))?.push(row);
  return keys.map((key) => groups.get(key) ?? []);
}

/**
 * Reads the values of keys in one statement; on a cluster in one for each organization, which names
 * it ({@link pin}), so that one node runs the statement.
 */
export async function readTogether<Key, Value>(
  db: Database,
  keys: readonly Key[],
  organizationOf: (key: Key) => string,
  read: (keys: readonly Key[], organizationId: string | undefined) => Promise<readonly Value[]>,
): Promise<readonly Value[]> {
  if (!db.isDistributed) return read(keys, undefined);
  const values: Value[] = [];
  for (const [id, indexes] of Map.groupBy(keys.keys(), (at) => organizationOf(keys[at] as Key))) {
    const found = await read(
      indexes.map((index) => keys[index] as Key),
      id,
    );
    for (const [at, index] of indexes.entries()) values[index] = found[at] as Value;
  }
  return values;
}

/** SQL condition on the organization of {@link readTogether}, whose value it adds; '' for none. */
export const pin = (
  column: string,
  values: unknown[],
  organizationId: string | undefined,
): string => (organizationId ? ` and ${column} = $${values.push(organizationId)}::uuid` : '');
