import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Operation, Refusal } from './api.js';
import { noteReading, round } from './fresh.js';

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
  readonly round: number;
}

interface Answers<Data> {
  readonly wish: Wish | undefined;
  readonly key: string;
  readonly pages: readonly Data[];
  readonly error?: Error;
}

const same = (one: Wish | undefined, other: Wish): boolean =>
  one?.key === other.key && one.after === other.after && one.attempt === other.attempt && one.round === other.round;

const isForbidden = (error: unknown): boolean => error instanceof Refusal && error.code === 'FORBIDDEN';

/**
 * Asks whenever the variables change, and anew in each round. What was answered to other variables is never shown; what was answered before stays while
 * it is read anew.
 * @param nextOf The position after which the next page begins; null on the last.
 * @param isFrame Its age is not that of what is looked at: who the person is, and what can be chosen.
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

  // `key` stands for the operation and the variables.
  useEffect(() => {
    const stop = new AbortController();
    const isFirst = wish.after === null;
    const askedAt = Date.now();
    ask(operation, isFirst ? variables : { ...variables, after: wish.after }, stop.signal).then(
      (data) => {
        setAnswers({ wish, key, pages: isFirst ? [data] : [...pages, data] });
        if (isFirst && !isFrame) noteReading(question, askedAt);
      },
      // What somebody may not see any more goes; what can't be read just now stays, as old as it is.
      (error) => stop.signal.aborted || setAnswers({ wish, key, pages: isForbidden(error) ? [] : pages, error }),
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
