/** Writes stamped changes with few statements: neighbours that are alike go together. */
import type { Database } from './connection.js';
import type { Change, ChangeKind } from './journal.js';

/** A change with what it does and its stamp. */
export interface Stamped extends Change {
  readonly kind: ChangeKind;
  readonly stamp: string;
}

/**
 * Applies the changes in their order. Only neighbours share a statement, and updates only when they set the same values: a mark that moves from one row to
 * another must leave the first before the second can have it.
 */
export async function apply(tx: Database, changes: readonly Stamped[]): Promise<void> {
  for (const run of runsOf(changes)) {
    const [{ kind, entity, key, set, stamp }, ...others] = run;
    if (kind === 'create') await insert(tx, run);
    else if (kind === 'delete') await tx.em.nativeDelete(entity, key);
    else if (others.length > 0) await updateAlike(tx, run);
    else await tx.em.nativeUpdate(entity, key, { ...set, updatedAt: stamp });
  }
}

type Run = [Stamped, ...Stamped[]];

function runsOf(changes: readonly Stamped[]): Run[] {
  const runs: Run[] = [];
  let current: string | undefined;
  for (const [index, change] of changes.entries()) {
    const likeness = likenessOf(change) ?? `alone ${index}`;
    if (likeness === current) runs.at(-1)?.push(change);
    else runs.push([change]);
    current = likeness;
  }
  return runs;
}

/** Equal for changes that one statement can write; undefined for one that goes alone. */
function likenessOf({ kind, entity, key, set }: Stamped): string | undefined {
  const names = Object.keys(key).join();
  switch (kind) {
    case 'create':
      return `create ${entity.name} ${names} ${Object.keys(set ?? {}).join()}`;
    case 'update':
      return `update ${entity.name} ${names} ${JSON.stringify(set)}`;
    default:
      return undefined;
  }
}

const insert = (tx: Database, run: Run) =>
  tx.em.insertMany(
    run[0].entity,
    run.map(({ key, set, stamp }) => ({ ...key, ...set, createdAt: stamp, updatedAt: stamp })),
  );

async function updateAlike(tx: Database, run: Run): Promise<void> {
  const [{ entity, key, set = {} }] = run;
  const { tableName, properties } = tx.em.getMetadata().get(entity);
  const column = (name: string) => (properties as Record<string, { fieldNames: string[]; columnTypes: string[] }>)[name];
  const keys = Object.keys(key);
  const names = Object.keys(set);
  const values = [...keys.map((name) => run.map((change) => change.key[name])), run.map(({ stamp }) => stamp), ...Object.values(set)];
  const given = [...keys.map((name, index) => `$${index + 1}::${column(name)?.columnTypes[0]}[]`), `$${keys.length + 1}::timestamptz[]`];
  const sets = names.map((name, index) => `${column(name)?.fieldNames[0]} = $${keys.length + 2 + index}`);
  await tx.query(
    `update ${tableName} t set ${['updated_at = given.stamp', ...sets].join(', ')}
     from unnest(${given.join(', ')}) as given (${[...keys.map((_, index) => `key${index}`), 'stamp'].join(', ')})
     where ${keys.map((name, index) => `t.${column(name)?.fieldNames[0]} = given.key${index}`).join(' and ')}`,
    values,
  );
}
