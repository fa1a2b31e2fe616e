/**
 * Follows a list from a saved position: what was made or changed since, in order, again and again.
 */
import type { Lanyard } from './client.js';
import { LanyardError } from './errors.js';
import { type ListInput, type ListPath, type RecordOf, readPage } from './pages.js';
import { readReach } from './reach.js';
import { sleep } from './retry.js';

/** The paths of lists that can be followed: those with `updated_after`. */
export type SyncPath = { [P in ListPath]: RecordOf<P> extends Stamped ? P : never }[ListPath];

interface Stamped {
  readonly updated_at: string;
}

export interface Batch<Item> {
  /** Made or changed since the position before; none, when nothing was. */
  readonly records: Item[];
  /**
   * Save it in one transaction with the records, and go on from it after a crash. A text of the
   * client's own.
   */
  readonly position: string;
  /** Whether the copy now has everything: the list was read to its end. */
  readonly isCurrent: boolean;
}

export type FollowOptions<P extends SyncPath> = ListInput<P> & {
  /** Where to go on: the position that was saved last. Left out: from the beginning. */
  readonly position?: string | undefined;
  /**
   * Milliseconds to wait at the end of the list before looking again. Left out: the end is the end.
   */
  readonly every?: number;
};

/**
 * What a position holds: where the present walk began, where in it we are, and the greatest stamp
 * that it saw.
 */
interface Place {
  readonly after?: string | undefined;
  readonly cursor?: string | undefined;
  readonly seen?: string | undefined;
  readonly reach?: string;
}

/**
 * The batches since a position. Misses no record, whenever it is broken off, as long as each
 * position is saved with its records or after them; a record may come twice.
 * @throws {LanyardError} `resync_required` when you may see more or less than at the position:
 * empty the copy, and begin without a position.
 */
export async function* follow<P extends SyncPath>(
  lanyard: Lanyard,
  path: P,
  { position, every, ...input }: FollowOptions<P>,
): AsyncGenerator<Batch<RecordOf<P>>, void> {
  const list = input as unknown as ListInput<P>;
  let place: Place = position === undefined ? {} : JSON.parse(position);
  for (;;) {
    const reach = await readReach(lanyard, list);
    if (place.reach !== undefined && place.reach !== reach) throw new LanyardError(resync);
    for (let isCurrent = false; !isCurrent; ) {
      const page = await readPage(lanyard, path, list, {
        updated_after: place.after,
        cursor: place.cursor,
      }).catch((error) => {
        if (place.cursor === undefined || !isRefusedCursor(error)) throw error;
      });
      if (page === undefined) {
        place = { after: place.after, reach };
        continue;
      }
      const records = page.data;
      const seen = latest(place.seen ?? place.after, records as Stamped[]);
      isCurrent = page.page.next_cursor === null;
      place = isCurrent
        ? { after: seen, reach }
        : { after: place.after, cursor: page.page.next_cursor ?? undefined, seen, reach };
      yield { records, position: JSON.stringify(place), isCurrent };
    }
    if (every === undefined) return;
    await sleep(every, list.signal);
  }
}

/** Stamps are texts of one form, so the order of texts is that of time. */
const latest = (seen: string | undefined, records: readonly Stamped[]): string | undefined =>
  records.reduce(
    (most, { updated_at }) => (most === undefined || updated_at > most ? updated_at : most),
    seen,
  );

/** As by a newer server that writes its cursors otherwise: the walk begins anew. */
const isRefusedCursor = (error: unknown): boolean =>
  error instanceof LanyardError &&
  error.code === 'validation_error' &&
  'cursor' in (error.details ?? {});

const resync = {
  status: 410,
  code: 'resync_required',
  message:
    'What you may see has changed since this position: empty the copy, and read the list again.',
};
