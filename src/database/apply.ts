/** Writes stamped changes with few statements: neighbours that are alike go together, be it one or a thousand. */
import type { Database } from './connection.js';
import type { Change, ChangeKind } from './journal.js';
import { deletion, insertion, updating } from './sets.js';
import { Values } from './values.js';

/** A change with what it does and its stamp. */
export interface Stamped extends Change {
  readonly kind: ChangeKind;
  /** Left out: what `tick`, of the same statement, gives. */
  readonly stamp?: string | undefined;
}

/**
 * Applies the changes in their order, each record once. Only neighbours share a statement, and updates only when they set `isPrimary` alike or not at all:
 * that mark must leave the first row before the second can have it.
 * @param complete Makes the last statement of what writes the last changes, so that what belongs to them takes no further one. It is told whether
 *   these are all of them.
 * @returns What the last statement gives.
 */
export async function apply<Row extends object>(
  tx: Database,
  changes: readonly Stamped[],
  complete: (written: string, values: Values, isAll: boolean) => string,
): Promise<Row[]> {
  const runs = runsOf(changes);
  let rows: Row[] = [];
  for (const [index, run] of runs.entries()) {
    const values = new Values();
    const written = statementOf(tx, run, values);
    rows = await tx.query<Row>(index === runs.length - 1 ? complete(written, values, index === 0) : written, values.all);
  }
  return rows;
}

/** Alike changes as one statement, to which a `returning` of the rows (`t.*`) may be added. */
function statementOf(tx: Database, run: Run, values: Values): string {
  const [{ kind, entity, key, set, stamp }] = run;
  if (kind === 'delete') {
    const rows = run.map((change) => change.key);
    return deletion(tx, entity, Object.keys(key), rows, values, stamp === undefined);
  }
  const stamps = kind === 'create' ? ['createdAt', 'updatedAt'] : ['updatedAt'];
  const rows = run.map((change) => ({ ...change.key, ...change.set, ...Object.fromEntries(stamps.map((name) => [name, change.stamp])) }));
  const properties = kind === 'create' ? Object.keys({ ...key, ...set }) : propertiesOf(run);
  const [given, ticked] = stamp === undefined ? [properties, stamps] : [[...properties, ...stamps], []];
  return kind === 'create'
    ? insertion(tx, entity, given, rows, values, ticked)
    : updating(tx, entity, Object.keys(key), given, rows, values, ticked);
}

type Run = [Stamped, ...Stamped[]];

function runsOf(changes: readonly Stamped[]): Run[] {
  const runs: Run[] = [];
  let current: string | undefined;
  for (const change of changes) {
    const likeness = likenessOf(change);
    if (likeness === current) runs.at(-1)?.push(change);
    else runs.push([change]);
    current = likeness;
  }
  return runs;
}

/** Equal for changes that one statement can write. What a create leaves out gets its default, so those that go together leave out the same. */
function likenessOf({ kind, entity, key, set = {} }: Stamped): string {
  const properties = kind === 'create' ? Object.keys(set).join() : `isPrimary ${set.isPrimary}`;
  return `${kind} ${entity.name} ${Object.keys(key).join()} ${properties}`;
}

const propertiesOf = (run: Run): string[] => [...new Set(run.flatMap(({ set = {} }) => Object.keys(set)))].sort();
