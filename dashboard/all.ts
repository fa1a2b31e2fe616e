/** Loads whole lists, page by page, for search, order, exports and print. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Operation, Refusal } from './api.js';
import { noteReading, round } from './fresh.js';

/** Requests at a time; a server accepts few of one person. */
const concurrency = 4;
/** Pages of one list that are loaded at once: 10,000 records at 200 each. */
const pagesPerLoad = 50;

export interface All<Data> {
  /** The pages of each list so far, in the order of the variables; undefined before the first. */
  readonly lists: readonly (readonly Data[])[] | undefined;
  /** Whether nothing is missing, except what `more` loads. */
  readonly isComplete: boolean;
  /** Loads the next 10,000 records of each list that has more; undefined when there are none. */
  readonly more: (() => void) | undefined;
  readonly isLoading: boolean;
  readonly error: Error | undefined;
  readonly retry: () => void;
}

interface Loaded<Data> {
  readonly key: string;
  /** The request that ended; undefined while it runs. */
  readonly ended: string | undefined;
  readonly lists: readonly (readonly Data[])[] | undefined;
  readonly isComplete: boolean;
  /** Whether a list has more records than were loaded. */
  readonly hasMore?: boolean;
  readonly error?: Error;
}

/**
 * Loads when the variables change, and again in each refresh. Shows the lists when each has its
 * first page, and again when all are complete: rows then move only once. What was complete stays
 * until the refresh is.
 * @param variants The variables of each list.
 * @param nextOf The cursor of the next page; null on the last.
 * @param start For first pages, if they are to be smaller.
 */
export function useAll<V extends object, D>(
  operation: Operation<V, D>,
  variants: readonly V[],
  nextOf: (data: D) => string | null,
  start: Operation<V, D> = operation,
): All<D> {
  const key = JSON.stringify([operation.name, variants]);
  const [attempt, setAttempt] = useState(0);
  const [wanted, setWanted] = useState({ key, loads: 1 });
  const loads = wanted.key === key ? wanted.loads : 1;
  const request = `${key} ${round.value} ${attempt} ${loads}`;
  const [loaded, setLoaded] = useState<Loaded<D>>({
    key,
    ended: undefined,
    lists: undefined,
    isComplete: false,
  });
  const question = useRef({}).current;
  const current = loaded.key === key ? loaded : undefined;

  // `request` represents the operation, the variables, the refresh and the attempt.
  useEffect(() => {
    const stop = new AbortController();
    const askedAt = Date.now();
    const show = (lists: readonly (readonly D[])[]) =>
      setLoaded((before) =>
        before.key === key && before.isComplete
          ? before
          : { key, ended: undefined, lists, isComplete: false },
      );
    loadAll([start, operation], variants, nextOf, stop.signal, loads * pagesPerLoad, show).then(
      (lists) => {
        const hasMore = lists.some((pages) => {
          const last = pages.at(-1);
          return last !== undefined && nextOf(last) !== null;
        });
        setLoaded({ key, ended: request, lists, isComplete: true, hasMore });
        noteReading(question, askedAt);
      },
      (error) => {
        if (stop.signal.aborted) return;
        // Later requests of the same lists are of no use.
        stop.abort();
        // Data that the person may no longer read is removed; other errors keep it.
        const isForbidden = error instanceof Refusal && error.code === 'FORBIDDEN';
        setLoaded((before) => ({
          key,
          ended: request,
          lists: before.key === key && !isForbidden ? before.lists : undefined,
          isComplete: before.key === key && before.isComplete && !isForbidden,
          error,
        }));
      },
    );
    return () => stop.abort();
  }, [request]);
  useEffect(() => () => noteReading(question, undefined), [key]);

  const isDone = current?.ended === request;
  return {
    lists: current?.lists,
    isComplete: current?.isComplete ?? false,
    more: current?.hasMore ? () => setWanted({ key, loads: loads + 1 }) : undefined,
    isLoading: !isDone,
    error: isDone ? current?.error : undefined,
    retry: () => setAttempt(attempt + 1),
  };
}

async function loadAll<V extends object, D>(
  [start, rest]: readonly [Operation<V, D>, Operation<V, D>],
  variants: readonly V[],
  nextOf: (data: D) => string | null,
  signal: AbortSignal,
  maxPages: number,
  show: (lists: readonly (readonly D[])[]) => void,
): Promise<readonly (readonly D[])[]> {
  const lists: D[][] = variants.map(() => []);
  /** First pages before second ones. */
  const waiting = variants.map((_, index) => ({ index, after: null as string | null }));
  let firstMissing = variants.length;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { index, after } = next;
      const variables = variants[index] as V;
      const data = await (after === null
        ? ask(start, variables, signal)
        : ask(rest, { ...variables, after }, signal));
      lists[index]?.push(data);
      const cursor = nextOf(data);
      if (cursor && (lists[index]?.length ?? 0) < maxPages) waiting.push({ index, after: cursor });
      if (after === null && --firstMissing === 0) show(lists.map((pages) => [...pages]));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return lists;
}
