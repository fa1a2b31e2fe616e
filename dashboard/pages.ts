import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Operation, Refusal } from './api.js';
import { noteReading, round } from './fresh.js';

/** A query and its pages so far. */
export interface Pages<Data> {
  readonly pages: readonly Data[];
  readonly isLoading: boolean;
  readonly error: Error | undefined;
  /** Loads the next page; undefined when there is none. */
  readonly more: (() => void) | undefined;
  readonly retry: () => void;
}

interface Wish {
  readonly key: string;
  readonly after: string | null;
  readonly attempt: number;
  readonly round: number;
}

interface Answers<Data> {
  readonly wish: Wish | undefined;
  readonly key: string;
  readonly pages: readonly Data[];
  readonly error?: Error;
}

const same = (one: Wish | undefined, other: Wish): boolean =>
  one?.key === other.key &&
  one.after === other.after &&
  one.attempt === other.attempt &&
  one.round === other.round;

const isForbidden = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'FORBIDDEN';

/**
 * Loads when the variables change, and again in each refresh. Results for other variables are never
 * shown; earlier results stay while they are reloaded.
 * @param nextOf The cursor of the next page; null on the last.
 * @param isFrame Excluded from the displayed age: the person, and the filter options.
 */
export function usePages<V extends object, D>(
  operation: Operation<V, D>,
  variables: V,
  nextOf: (data: D) => string | null = () => null,
  isFrame = false,
): Pages<D> {
  const key = JSON.stringify([operation.name, variables]);
  const first: Wish = { key, after: null, attempt: 0, round: round.value };
  const [asked, wishFor] = useState(first);
  const [answers, setAnswers] = useState<Answers<D>>({ wish: undefined, key, pages: [] });
  const wish = asked.key === key && asked.round === first.round ? asked : first;
  const question = useRef({}).current;
  const pages = answers.key === key ? answers.pages : [];

  // `key` represents the operation and the variables.
  useEffect(() => {
    const stop = new AbortController();
    const isFirst = wish.after === null;
    const askedAt = Date.now();
    ask(operation, isFirst ? variables : { ...variables, after: wish.after }, stop.signal).then(
      (data) => {
        setAnswers({ wish, key, pages: isFirst ? [data] : [...pages, data] });
        if (isFirst && !isFrame) noteReading(question, askedAt);
      },
      // Data that the person may no longer read is removed; after other errors the old data stays.
      (error) =>
        stop.signal.aborted ||
        setAnswers({ wish, key, pages: isForbidden(error) ? [] : pages, error }),
    );
    return () => stop.abort();
  }, [key, wish.after, wish.attempt, wish.round]);
  useEffect(() => () => noteReading(question, undefined), [key]);

  const last = pages.at(-1);
  const next = last && nextOf(last);
  const isDone = same(answers.wish, wish);
  return {
    pages,
    isLoading: !isDone,
    error: isDone ? answers.error : undefined,
    more: next ? () => wishFor({ ...first, after: next }) : undefined,
    retry: () => wishFor({ ...wish, attempt: wish.attempt + 1 }),
  };
}
