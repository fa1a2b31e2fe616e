/** Changes that go together: neighbours that are alike, be it one or a thousand, are one statement. */
import type { Database } from './connection.js';
import type { Basis, Change, ChangeKind } from './journal.js';
import { deletion, insertion, type Lone, toJson, updating } from './sets.js';

/** A change with what it does and its stamp. */
export interface Stamped extends Change {
  readonly kind: ChangeKind;
  /** Left out: what `tick`, of the same statement, gives. */
  readonly stamp?: string | undefined;
}

/** Changes in their order that one statement can write. */
export interface Run {
  /** Equal for runs whose statements have the same text. */
  readonly likeness: string;
  readonly changes: readonly [Stamped, ...Stamped[]];
  /** Those that are written, without the keys of an update and without stamps. */
  readonly properties: readonly string[];
}

/**
 * The changes in their order, each record once. Only neighbours share a statement, and updates only when they set `isPrimary` alike or not at all: that mark
 * must leave the first row before the second can have it.
 */
export function runsOf(changes: readonly Stamped[]): Run[] {
  const runs: { likeness: string; changes: [Stamped, ...Stamped[]] }[] = [];
  for (const change of changes) {
    const likeness = likenessOf(change);
    const current = runs.at(-1);
    if (likeness === current?.likeness) current.changes.push(change);
    else runs.push({ likeness, changes: [change] });
  }
  return runs.map(({ likeness, changes: run }) => {
    const properties = propertiesOf(run);
    return { likeness: `${likeness} ${properties.join()}`, changes: run, properties };
  });
}

/** Equal for changes that one statement can write. What a create leaves out gets its default, so those that go together leave out the same. */
function likenessOf({ kind, entity, key, set = {}, stamp }: Stamped): string {
  const properties = kind === 'create' ? Object.keys(set).join() : `isPrimary ${set.isPrimary}`;
  return `${kind} ${entity.name} ${Object.keys(key).join()} ${properties} ${stamp === undefined}`;
}

function propertiesOf(run: readonly [Stamped, ...Stamped[]]): string[] {
  const [{ kind, key, set }] = run;
  if (kind === 'create') return Object.keys({ ...key, ...set });
  return [...new Set(run.flatMap((change) => Object.keys(change.set ?? {})))].sort();
}

const stampsOf = ({ changes: [{ kind }] }: Run): string[] =>
  kind === 'create' ? ['createdAt', 'updatedAt'] : kind === 'update' ? ['updatedAt'] : [];

const alike = <Value>(names: readonly string[], value: Value) => Object.fromEntries(names.map((name) => [name, value]));

/** What a lone change gets from the other parts of its statement: the instant of `tick`, and what it takes from its basis. */
export const loneOf = (stamps: readonly string[], basis?: Basis): Lone => ({
  parts: basis ? ['tick', 'basis'] : ['tick'],
  set: { ...alike(stamps, 'tick.at'), ...basis?.set },
});

/**
 * The statement that writes a run, to which a `returning` of the rows (`t.*`) may be added.
 * @param rows The value in the text that has them, of {@link rowsOf}.
 */
export function writing(tx: Database, run: Run, rows: string): string {
  const [{ kind, entity, key, stamp, basis }] = run.changes;
  const stamps = stampsOf(run);
  const lone = stamp === undefined ? loneOf(stamps, basis) : undefined;
  const properties = lone ? run.properties : [...run.properties, ...stamps];
  if (kind === 'create') return insertion(tx, entity, properties, rows, lone);
  if (kind === 'update') return updating(tx, entity, Object.keys(key), properties, rows, lone);
  return deletion(tx, entity, Object.keys(key), rows, lone);
}

/** The rows of a run, as the value that {@link writing} reads them from. */
export function rowsOf(tx: Database, run: Run): string {
  const [{ entity, stamp: first }] = run.changes;
  const stamps = stampsOf(run);
  const rows = run.changes.map(({ key, set, stamp }) => ({ ...key, ...set, ...(stamp && alike(stamps, stamp)) }));
  return toJson(tx, entity, rows, first === undefined);
}
