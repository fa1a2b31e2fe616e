/** Statements that share a round trip. */
import type pg from 'pg';
import type { Field } from './rows.js';
import { type Statement, sync, write } from './statement.js';

const leftOut = new Error('left out');

/** The rows of a statement or its error; undefined for what PostgreSQL left out, as it does once one has failed. */
export type Answer = object[] | Error | undefined;

/** A statement that PostgreSQL has never seen. */
export class NotSent extends Error {}

/** @throws the error, with a trace from here on (up to here it is that of the socket), or that there is no answer. */
export function rowsOf(answer: Answer): object[] {
  if (!answer) throw new NotSent('Nothing was sent: a value of the statement, or of what goes with it, cannot be written');
  if (!(answer instanceof Error)) return answer;
  Error.captureStackTrace(answer);
  throw answer;
}

/** Statements that go out in one piece, and PostgreSQL answers in one. */
export class Together implements pg.Submittable {
  readonly answers: Promise<Answer[]>;
  #at = 0;

  constructor(private readonly statements: readonly Statement<object>[]) {
    this.answers = Promise.all(statements.map(({ answer }) => answer.catch((error: Error) => (error === leftOut ? undefined : error))));
  }

  get name(): string {
    return this.#current?.name ?? '';
  }

  get text(): string {
    return this.#current?.text ?? '';
  }

  get #current(): Statement<object> | undefined {
    return this.statements[this.#at];
  }

  submit(connection: pg.Connection): Error | undefined {
    const parsed = new Set<string>();
    const failure = write(connection, () => [...this.statements.flatMap((statement) => statement.messages(connection, parsed)), sync]);
    // Whichever can't be written finds out alone.
    if (failure) this.#at = -1;
    return failure;
  }

  handleRowDescription(description: { fields: readonly Field[] }): void {
    this.#current?.handleRowDescription(description);
  }

  handleDataRow(row: { fields: readonly (string | null)[] }): void {
    this.#current?.handleDataRow(row);
  }

  handleCommandComplete(): void {
    this.#current?.handleCommandComplete();
    if (this.#current?.isDone) this.#at++;
  }

  handleReadyForQuery(): void {
    for (const statement of this.statements) statement.handleReadyForQuery();
  }

  /** What came before has its answer. What fails once all are done is their commit: the last of them tells. */
  handleError(error: unknown): void {
    const failed = Math.min(this.#at, this.statements.length - 1);
    for (const [index, statement] of this.statements.entries()) {
      if (index < failed) statement.handleReadyForQuery();
      else statement.handleError(index === failed ? error : leftOut);
    }
  }
}
