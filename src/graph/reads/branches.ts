/**
 * Lists over several organizations of a Citus cluster, each on a node of its own. A node knows only
 * its own writes in progress. So one statement per organization reads its version clock, another
 * one its rows, and the pages are merged here.
 */
import type { Database } from '../../database/connection.js';
import type { SyncArgs } from './connection.js';
import type { Position } from './cursor.js';
import { clockStatement, type List, pageStatement } from './keyset.js';
import type { Selection } from './selection.js';

/** The newest version that was issued, in any organization (database/distribution.ts). */
const issuedStatement = `select timestamptz 'epoch' + last_value * interval '1 microsecond' as at from issued_versions`;

interface Clock {
  /** The last committed version of an organization. */
  readonly at: string;
  readonly isInProgress: boolean;
}

/**
 * One page, with one row more than requested. It ends at the low watermark of `horizon`
 * (keyset.ts), computed in three steps, each after the one before:
 *
 * 1. the newest version that was issued. Each later one is greater, and so not on this page.
 * 2. the clocks. A write with an earlier version had locked its clock before that version was
 *    issued, so it is seen in progress here, unless it was committed.
 * 3. the rows, in which every write that was committed before is visible.
 */
export async function readBranches<Row extends Position>(
  db: Database,
  list: List,
  selection: Selection,
  args: SyncArgs,
  after: Position | undefined,
): Promise<Row[]> {
  const { branches, clocks, ...shared } = list;
  const [issued, written, pages] = await db.transaction(async (tx) => {
    const first = tx.prepend([issuedStatement, []]) as Promise<Clock[]>;
    const second = (clocks?.organizationIds ?? []).map(
      (id) => tx.prepend([clockStatement, [id]]) as Promise<Clock[]>,
    );
    const statements = branches.map((branch) =>
      pageStatement({ ...shared, branches: [branch] }, selection, args, after),
    );
    const last = statements.pop();
    const third = statements.map(
      ({ text, values }) => tx.prepend([text, values]) as Promise<Row[]>,
    );
    if (last) third.push(tx.query<Row>(last.text, last.values));
    return Promise.all([first, Promise.all(second), Promise.all(third)]);
  });
  const ends = written.flat().filter(({ isInProgress }) => isInProgress);
  const watermark = [...issued, ...ends].map(({ at }) => at).sort()[0] ?? '';
  return pages
    .flat()
    .filter(({ updatedAt }) => updatedAt <= watermark)
    .sort(inOrder)
    .slice(0, args.first + 1);
}

const inOrder = (one: Position, other: Position): number =>
  compare(one.updatedAt, other.updatedAt) || compare(one.id, other.id);

const compare = (one: string, other: string): number => Number(one > other) - Number(one < other);
