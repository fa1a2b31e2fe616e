/** One transaction on a connection: what of it goes out together. */
import type { Client, Sql } from './client.js';
import type { Company } from './statement.js';
import { rowsOf } from './together.js';

/** A statement that waits to go out with another, and its rows by then. */
class Waiting {
  readonly rows = Promise.withResolvers<object[]>();
  constructor(readonly sql: Sql) {}
}

/** Its begin goes out with its first statement, a round trip less; without statements nothing goes out at all. */
export class Transaction {
  #isBegun = false;
  #first: Waiting | undefined;
  #last: Waiting | undefined;

  /** @param endsInWork Whether it ends as soon as the work says so: it has nothing to do after that. */
  constructor(
    private readonly client: Client,
    private readonly endsInWork = false,
  ) {}

  /** A statement that goes out with the next one, ahead of it; when it fails, the next one isn't run, and rejects with its error. @returns Its rows. */
  startWith(sql: Sql): Promise<object[]> {
    this.#first = new Waiting(sql);
    return this.#first.rows.promise;
  }

  /** A statement that the transaction does last: it goes out with the commit. @returns Its rows. */
  endWith(sql: Sql): Promise<object[]> {
    this.#last = new Waiting(sql);
    return this.#last.rows.promise;
  }

  /** Runs the statement that the work ends with, and the commit with it where the transaction may end there. @returns Its rows as records. */
  async conclude<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    if (!this.endsInWork || this.#last) return this.records(text, values);
    const isAll = !this.#isBegun && !this.#first;
    // A statement alone is a transaction.
    const rows = await (isAll ? this.client.records<Row>(text, values) : this.records<Row>(text, values, { commits: true }));
    this.#isBegun = false;
    return rows;
  }

  /** Runs one statement. @returns Its rows as records. */
  async records<Row>(text: string, values: readonly unknown[], company: Omit<Company, 'begins'> = {}): Promise<Row[]> {
    const [first, begins] = [this.#first, !this.#isBegun];
    this.#first = undefined;
    this.#isBegun = true;
    if (!first) return this.client.records<Row>(text, values, { ...company, begins });
    const both = this.client.recordsTogether([
      [first.sql, { begins }],
      [[text, values], company],
    ]);
    first.rows.resolve(both.then(([ahead]) => rowsOf(ahead)));
    return (await both).map(rowsOf)[1] as Row[];
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
}
