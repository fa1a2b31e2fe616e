/** The only interface to PostgreSQL. */
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { observer } from '../observer.js';
import { type Connected, connectedTo } from './connect.js';
import { isRetryable } from './failures.js';
import { type Connecting, type Connections, connectionsOf } from './pool.js';
import {
  type StatementOptions,
  type Transaction,
  type TransactionOptions,
  transact,
} from './transaction.js';
import { OwnedPool, type Owner } from './turns.js';
import type { Sql } from './wire/client.js';

/** Maximum number of attempts of a transaction. */
const maxAttempts = 3;

/** Options of a statement. */
export interface QueryOptions extends StatementOptions {
  /**
   * Batches it with others of the same turn of the event loop, on one connection and in one round
   * trip. For reads of a few rows by key.
   */
  readonly isBatched?: boolean;
}

/** The state of a handle, besides its entity manager. */
interface Scope {
  readonly connected: Connected;
  /** The source of its connections. */
  readonly pool: Connecting;
  readonly transaction: Transaction | undefined;
  /** Number of statements that succeeded. */
  readonly tally: { statements: number };
}

/**
 * A pool, or one transaction of it. Statements go directly to the driver, because plain rows need
 * nothing of the ORM.
 */
export class Database {
  private readonly scope: Scope;

  /**
   * @param em Of an ORM that {@link connect} created; it has the tables and columns of entities.
   */
  constructor(
    readonly em: SqlEntityManager,
    scope?: Scope,
  ) {
    this.scope = scope ?? createScope(em);
  }

  /** True inside {@link transaction}. */
  get inTransaction(): boolean {
    return this.scope.transaction !== undefined;
  }

  /** Connections of the pool at this moment. */
  get connections(): Connections {
    const { pool, turns } = this.scope.connected;
    const connections = connectionsOf(pool);
    return { ...connections, waiting: connections.waiting + turns.waiting };
  }

  /** Number of statements that succeeded since {@link counted}, including those of transactions. */
  get statements(): number {
    return this.scope.tally.statements;
  }

  /** Counts a statement that several requests share. */
  countShared(): void {
    this.scope.tally.statements++;
  }

  /** The same pool with its own count. @param statements The initial count. */
  counted(statements = 0): Database {
    const { connected, pool, transaction } = this.scope;
    return new Database(this.em, { connected, pool, transaction, tally: { statements } });
  }

  /**
   * The same pool and count for a request of an owner, limited to the owner's share of the
   * connections.
   */
  ownedBy(owner: Owner): Database {
    const { connected, transaction, tally } = this.scope;
    return new Database(this.em, {
      connected,
      pool: new OwnedPool(connected.pool, connected.turns, owner),
      transaction,
      tally,
    });
  }

  /** A handle for a transaction, also of another server, with the count of this handle. */
  on(transaction: Transaction): Database {
    const { connected, pool, tally } = this.scope;
    return new Database(this.em, { connected, pool, transaction, tally });
  }

  /** Like {@link Transaction.prepend}. */
  prepend(sql: Sql, ...undo: readonly Sql[]): Promise<object[]> {
    return this.attached(sql[0], this.ownTransaction.prepend(sql, ...undo));
  }

  /** Like {@link Transaction.waitBriefly}. */
  waitBriefly(): void {
    this.ownTransaction.waitBriefly();
  }

  /** Like {@link Transaction.append}; the transaction awaits its outcome. */
  append(sql: Sql): void {
    this.attached(sql[0], this.ownTransaction.append(sql));
  }

  private get ownTransaction(): Transaction {
    if (!this.scope.transaction) throw new Error('There is no transaction.');
    return this.scope.transaction;
  }

  private attached(text: string, sent: Promise<object[]>): Promise<object[]> {
    const rows = this.observed(text, () => sent);
    rows.catch(() => {});
    return rows;
  }

  /**
   * Runs one statement, prepared by name when it has values. Timestamps are RFC 3339 text with six
   * digits, dates `YYYY-MM-DD`. A column `type.slug` becomes the property `slug` of an object
   * `type`.
   */
  query<Row>(sql: string, values: readonly unknown[] = [], options?: QueryOptions): Promise<Row[]> {
    return this.observed(sql, () => this.send([sql, values], options)) as Promise<Row[]>;
  }

  private async observed(sql: string, send: () => Promise<object[]>): Promise<object[]> {
    const rows = await (observer ? observer.statement(sql, send) : send());
    this.scope.tally.statements++;
    return rows;
  }

  private send(sql: Sql, options?: QueryOptions): Promise<object[]> {
    const { connected, pool, transaction } = this.scope;
    if (transaction) return transaction.query(sql, options);
    return options?.isBatched ? connected.batch.load(sql) : sendOn(pool, sql, options);
  }

  /**
   * Commits when `work` resolves, and rolls back when it rejects. Within a transaction it joins
   * that one.
   * @param work Retried up to twice after a deadlock, or when it was undone in a group commit (by
   * the failure of another member, or because it wrote nothing there). It must have no effect that
   * a rollback does not undo.
   */
  async transaction<T>(
    work: (tx: Database) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T> {
    if (this.inTransaction) return work(this);
    const { connected, pool } = this.scope;
    for (let attempt = 1; ; attempt++) {
      // A retry runs outside of a group.
      const groupCommit = attempt === 1 ? connected.groupCommit : undefined;
      try {
        return await transact(
          pool,
          (transaction) => work(this.on(transaction)),
          groupCommit,
          options,
        );
      } catch (error) {
        if (attempt === maxAttempts || !isRetryable(error)) throw error;
      }
    }
  }
}

function createScope(em: SqlEntityManager): Scope {
  const connected = connectedTo(em);
  return { connected, pool: connected.pool, transaction: undefined, tally: { statements: 0 } };
}

/** Runs one statement on a connection of the pool. */
async function sendOn(pool: Connecting, sql: Sql, options?: QueryOptions): Promise<object[]> {
  const client = await pool.connect();
  try {
    return await client.rows(sql, options?.mayReplan ? { mayReplan: true } : undefined);
  } finally {
    client.release();
  }
}
