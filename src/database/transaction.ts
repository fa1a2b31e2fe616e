/** One transaction on a connection: what of it goes out together. */
import type { Client, Sql } from './client.js';
import type { Company } from './statement.js';
import { rowsOf } from './together.js';

/** A statement that waits to go out with another, and its rows by then. */
class Waiting {
  readonly rows = Promise.withResolvers<object[]>();
  constructor(readonly sql: Sql) {}
}

/** What becomes of a statement that was to go out with a next one, when there was none. */
export class NotSent extends Error {}

/** Its begin goes out with its first statement, a round trip less; without statements nothing goes out at all. */
export class Transaction {
  #isBegun = false;
  #ahead: Waiting[] = [];
  #last: Waiting | undefined;

  /** @param endsInWork Whether it ends as soon as the work says so: it has nothing to do after that. */
  constructor(
    private readonly client: Client,
    private readonly endsInWork = false,
  ) {}

  /** A statement that goes out with the next one, ahead of it; when it fails, the next one isn't run, and rejects with its error. @returns Its rows. */
  startWith(sql: Sql): Promise<object[]> {
    const waiting = new Waiting(sql);
    this.#ahead.push(waiting);
    return waiting.rows.promise;
  }

  /** A statement that the transaction does last: it goes out with the commit. @returns Its rows. */
  endWith(sql: Sql): Promise<object[]> {
    this.#last = new Waiting(sql);
    return this.#last.rows.promise;
  }

  /** Runs the statement that the work ends with, and the commit with it where the transaction may end there. @returns Its rows as records. */
  async conclude<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    if (!this.endsInWork || this.#last) return this.records(text, values);
    // What goes out in one piece is a transaction.
    if (!this.#isBegun) return this.#send(text, values);
    const rows = await this.records<Row>(text, values, { commits: true });
    this.#isBegun = false;
    return rows;
  }

  /** Runs one statement. @returns Its rows as records. */
  async records<Row>(text: string, values: readonly unknown[], company: Omit<Company, 'begins'> = {}): Promise<Row[]> {
    const begins = !this.#isBegun;
    this.#isBegun = true;
    return this.#send(text, values, company, begins);
  }

  async #send<Row>(text: string, values: readonly unknown[], company: Company = {}, begins = false): Promise<Row[]> {
    const ahead = this.#ahead;
    this.#ahead = [];
    if (ahead.length === 0) return this.client.records<Row>(text, values, { ...company, begins });
    const all = this.client.recordsTogether([
      ...ahead.map(({ sql }, index) => [sql, { begins: begins && index === 0 }] as const),
      [[text, values], company],
    ]);
    for (const [index, { rows }] of ahead.entries()) rows.resolve(all.then((answers) => rowsOf(answers[index])));
    return (await all).map(rowsOf).at(-1) as Row[];
  }

  async commit(): Promise<void> {
    if (!this.#last) return this.#isBegun ? void (await this.client.query('commit')) : undefined;
    const rows = this.records<object>(...this.#last.sql, { commits: true });
    this.#last.rows.resolve(rows);
    await rows;
  }

  async rollback(): Promise<void> {
    if (this.#isBegun) await this.client.query('rollback');
  }

  /** To be called when it has ended, in either way. */
  close(): void {
    for (const { rows } of this.#ahead) rows.reject(new NotSent('There was no statement to go out with'));
  }
}
