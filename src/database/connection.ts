/** The one handle through which everything uses PostgreSQL. */
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { observer } from '../telemetry/observer.js';
import type { Sql } from './client.js';
import { connectedTo } from './connect.js';
import { isRetryable } from './failures.js';
import type { Sharing } from './group.js';
import type { Groups } from './groups.js';
import { type Connections, connectionsOf, type Finder, type Pool } from './pool.js';
import type { Company } from './statement.js';
import type { NotSent } from './together.js';
import { type Following, type Transaction, transact } from './transaction.js';

/** Times that the work of a transaction is tried. */
const mostAttempts = 3;

/**
 * A pool, or one transaction of it. Statements go to the driver directly: the layers above it have nothing to give to rows that are only read.
 */
export class Database {
  readonly #pool: Pool;
  readonly #finder: Finder;
  readonly #groups: Groups;
  readonly #transaction: Transaction | undefined;
  readonly #tally: { statements: number };

  /** @param em Of an ORM that {@link connect} made; it tells the tables and columns of entities. */
  constructor(
    readonly em: SqlEntityManager,
    transaction?: Transaction,
    tally = { statements: 0 },
  ) {
    ({ pool: this.#pool, finder: this.#finder, groups: this.#groups } = connectedTo(em));
    this.#transaction = transaction;
    this.#tally = tally;
  }

  /** True inside {@link transaction}. */
  get inTransaction(): boolean {
    return this.#transaction !== undefined;
  }

  /** Of the pool, at this moment. */
  get connections(): Connections {
    return connectionsOf(this.#pool);
  }

  /** Statements that succeeded since {@link counted}, those of transactions included. */
  get statements(): number {
    return this.#tally.statements;
  }

  /** Counts a statement that several share. */
  countShared(): void {
    this.#tally.statements++;
  }

  /** The same pool with a count of its own. @param statements What it begins with. */
  counted(statements = 0): Database {
    return new Database(this.em, this.#transaction, { statements });
  }

  /** A transaction, of another server even, in the count of this one. */
  on(transaction: Transaction): Database {
    return new Database(this.em, transaction, this.#tally);
  }

  /**
   * A statement that goes out with the next one of the transaction, ahead of it. When it fails, the next one isn't run, and rejects with its error.
   * @param undo What undoes it where that alone is to be undone.
   * @returns Its rows, once there was a next one. Rejects with {@link NotSent} when the transaction ends without.
   */
  startWith(sql: Sql, ...undo: readonly Sql[]): Promise<object[]> {
    return this.#tellOf(sql, (transaction) => transaction.startWith(sql, ...undo));
  }

  /** A statement that the transaction does last, with its commit. */
  endWith(sql: Sql): void {
    this.#tellOf(sql, (transaction) => transaction.endWith(sql));
  }

  /** What becomes of it is the transaction's to wait for. */
  #tellOf([text]: Sql, put: (transaction: Transaction) => Promise<object[]>): Promise<object[]> {
    const transaction = this.#transaction;
    if (!transaction) throw new Error('There is no transaction.');
    const rows = this.#told(text, () => put(transaction));
    rows.catch(() => {});
    return rows;
  }

  /**
   * Runs one statement, prepared by name when it has values. Timestamps are RFC 3339 text with six digits, dates `YYYY-MM-DD`. A column `type.slug` becomes
   * the property `slug` of an object `type`.
   */
  query<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#told(sql, () => this.#send(sql, values));
  }

  /**
   * As {@link query}, for the statement that the work of a transaction ends with: where that may end the transaction it goes out with the commit.
   * @param sharing Where it is all that the work does, it may share its transaction with what others do at that moment, in this way (database/groups.ts).
   */
  conclude<Row>(sql: string, values: readonly unknown[], sharing?: Sharing): Promise<Row[]> {
    const transaction = this.#transaction;
    return transaction ? this.#told(sql, () => transaction.conclude<Row>([sql, values], sharing)) : this.query(sql, values);
  }

  /**
   * As {@link query}, for lists that a condition narrows which no index serves: the best plan depends on how many rows its values let through, so that
   * PostgreSQL may plan it anew for them.
   */
  search<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#told(sql, () => this.#send(sql, values, { mayReplan: true }));
  }

  /** As {@link query}, for what only reads a few rows by their keys: statements of one turn of the event loop share a connection and a round trip. */
  find<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.inTransaction ? this.query(sql, values) : this.#told(sql, () => this.#finder.load([sql, values]) as Promise<Row[]>);
  }

  async #told<Row>(sql: string, send: () => Promise<Row[]>): Promise<Row[]> {
    const rows = await (observer ? observer.statement(sql, send) : send());
    this.#tally.statements++;
    return rows;
  }

  async #send<Row>(sql: string, values: readonly unknown[], company?: Company): Promise<Row[]> {
    if (this.#transaction) return this.#transaction.records(sql, values, company);
    const client = await this.#pool.connect();
    try {
      return await client.records(sql, values, company);
    } finally {
      client.release();
    }
  }

  /**
   * Commits when `work` resolves; rolls back when it rejects. Within a transaction it only joins that one.
   * @param work Repeated, up to twice, after a deadlock, or what befell it among others (the failure of one of them, or that it did nothing there): it must
   * do nothing that a rollback doesn't undo.
   * @param following What may come after {@link conclude}.
   */
  async transaction<T>(work: (tx: Database) => Promise<T>, following: Following = 'anything'): Promise<T> {
    if (this.inTransaction) return work(this);
    for (let attempt = 1; ; attempt++) {
      // What failed once goes alone.
      const groups = attempt === 1 ? this.#groups : undefined;
      try {
        return await transact(this.#pool, (transaction) => work(this.on(transaction)), groups, following);
      } catch (error) {
        if (attempt === mostAttempts || !isRetryable(error)) throw error;
      }
    }
  }
}
