import { useEffect, useState } from 'preact/hooks';
import { ask, type Operation } from './api.js';

/** A question and its answers so far, a page at a time. */
export interface Pages<Data> {
  readonly pages: readonly Data[];
  readonly isLoading: boolean;
  readonly error: Error | undefined;
  /** Asks for the next page; undefined when there is none. */
  readonly more: (() => void) | undefined;
  readonly retry: () => void;
}

interface Wish {
  readonly key: string;
  readonly after: string | null;
  readonly attempt: number;
}

interface Answers<Data> {
  readonly wish: Wish | undefined;
  readonly key: string;
  readonly pages: readonly Data[];
  readonly error?: Error;
}

const same = (one: Wish | undefined, other: Wish): boolean =>
  one?.key === other.key && one.after === other.after && one.attempt === other.attempt;

/**
 * Asks whenever the variables change. What was answered to other variables is never shown.
 * @param nextOf The position after which the next page begins; null on the last.
 */
export function usePages<V extends object, D>(
  operation: Operation<V, D>,
  variables: V,
  nextOf: (data: D) => string | null = () => null,
): Pages<D> {
  const key = JSON.stringify([operation.name, variables]);
  const first: Wish = { key, after: null, attempt: 0 };
  const [asked, wishFor] = useState(first);
  const [answers, setAnswers] = useState<Answers<D>>({ wish: undefined, key, pages: [] });
  const wish = asked.key === key ? asked : first;
  const pages = answers.key === key ? answers.pages : [];

  // `key` stands for the operation and the variables.
  useEffect(() => {
    const stop = new AbortController();
    const before = wish.after === null ? [] : pages;
    ask(operation, wish.after === null ? variables : { ...variables, after: wish.after }, stop.signal).then(
      (data) => setAnswers({ wish, key, pages: [...before, data] }),
      (error) => stop.signal.aborted || setAnswers({ wish, key, pages: before, error }),
    );
    return () => stop.abort();
  }, [key, wish.after, wish.attempt]);

  const last = pages.at(-1);
  const next = last && nextOf(last);
  const isDone = same(answers.wish, wish);
  return {
    pages,
    isLoading: !isDone,
    error: isDone ? answers.error : undefined,
    more: next ? () => wishFor({ key, after: next, attempt: 0 }) : undefined,
    retry: () => wishFor({ ...wish, attempt: wish.attempt + 1 }),
  };
}
