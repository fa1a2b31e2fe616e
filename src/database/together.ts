/** Statements that share a round trip. */
import type pg from 'pg';
import { type Statement, sync, write } from './statement.js';

const leftOut = new Error('left out');

/** Statements that a connection has prepared and that only read: they go out in one piece, and PostgreSQL answers in one. */
export class Together implements pg.Submittable {
  /** The rows of each or its error; undefined for what PostgreSQL left out, as it does once one has failed. */
  readonly answers: Promise<(object[] | Error | undefined)[]>;
  #at = 0;

  constructor(private readonly statements: readonly Statement<object>[]) {
    this.answers = Promise.all(statements.map(({ answer }) => answer.catch((error: Error) => (error === leftOut ? undefined : error))));
  }

  submit(connection: pg.Connection): Error | undefined {
    const failure = write(connection, () => [...this.statements.flatMap((statement) => statement.messages(connection)), sync]);
    // Whichever can't be written finds out alone.
    if (failure) this.#at = -1;
    return failure;
  }

  handleDataRow(row: { fields: readonly (string | null)[] }): void {
    this.statements[this.#at]?.handleDataRow(row);
  }

  handleCommandComplete(): void {
    this.#at++;
  }

  handleReadyForQuery(): void {
    for (const statement of this.statements) statement.handleReadyForQuery();
  }

  /** What came before has its answer. */
  handleError(error: unknown): void {
    for (const [index, statement] of this.statements.entries()) {
      if (index < this.#at) statement.handleReadyForQuery();
      else statement.handleError(index === this.#at ? error : leftOut);
    }
  }
}
