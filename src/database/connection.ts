/** The only interface to PostgreSQL. */
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { observer } from '../observer.js';
import { type Connected, connectedTo } from './connect.js';
import { EntityManager } from './entity-manager.js';
import { isRetryable } from './failures.js';
import { type Connecting, type Connections, connectionsOf } from './pool.js';
import {
  type StatementOptions,
  Transaction,
  type TransactionOptions,
  transact,
} from './transaction.js';
import { OwnedPool, type Owner } from './turns.js';
import type { CountedRows, Sql } from './wire/client.js';

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
  private ownEm: EntityManager | undefined;

  /**
   * @param main The entity manager of an ORM that {@link connect} created; it has the tables and
   * columns of entities.
   */
  constructor(
    readonly main: SqlEntityManager,
    scope?: Scope,
  ) {
    this.scope = scope ?? createScope(main);
  }

  /**
   * The entity manager on these connections. A transaction has one, with its identity map;
   * otherwise each access creates one, so that nothing that it read is kept.
   */
  get em(): EntityManager {
    if (!this.inTransaction) return EntityManager.of(this.main, this);
    this.ownEm ??= EntityManager.of(this.main, this);
    return this.ownEm;
  }

  /** True inside {@link transaction}. */
  get inTransaction(): boolean {
    return this.scope.transaction !== undefined;
  }

  /** Whether the tables are distributed over a Citus cluster (distribution.ts). */
  get isDistributed(): boolean {
    return this.scope.connected.isDistributed;
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
    return new Database(this.main, { ...this.scope, tally: { statements } });
  }

  /**
   * The same pool with its own count, for a request of an owner: limited to the owner's share of
   * the connections.
   * @param statements The initial count.
   */
  ownedBy(owner: Owner, statements = 0): Database {
    const { pool, turns } = this.scope.connected;
    const own = { pool: new OwnedPool(pool, turns, owner), tally: { statements } };
    return new Database(this.main, { ...this.scope, ...own });
  }

  /** A handle for a transaction, also of another server, with the count of this handle. */
  on(transaction: Transaction): Database {
    return new Database(this.main, { ...this.scope, transaction });
  }

  /** Like {@link Transaction.prepend}. */
  prepend(sql: Sql, ...undo: readonly Sql[]): Promise<object[]> {
    return this.attached(sql, this.ownTransaction.prepend(sql, ...undo));
  }

  /** Like {@link Transaction.waitBriefly}. */
  waitBriefly(): void {
    this.ownTransaction.waitBriefly();
  }

  /** Like {@link Transaction.append}; the transaction awaits its outcome. */
  append(sql: Sql): void {
    this.attached(sql, this.ownTransaction.append(sql));
  }

  private get ownTransaction(): Transaction {
    if (!this.scope.transaction) throw new Error('There is no transaction.');
    return this.scope.transaction;
  }

  private attached([text]: Sql, sent: Promise<object[]>): Promise<object[]> {
    const rows = observer ? observer.statement(text, () => sent) : sent;
    rows.then(
      () => this.countShared(),
      () => {},
    );
    return rows;
  }

  /**
   * Runs one statement, prepared by name when it has values. Timestamps are RFC 3339 text with six
   * digits, dates `YYYY-MM-DD`. A column `type.slug` becomes the property `slug` of an object
   * `type`.
   */
  async query<Row>(
    text: string,
    values: readonly unknown[] = [],
    options: QueryOptions = {},
  ): Promise<Row[]> {
    const sql: Sql = [text, values];
    const rows = await (observer
      ? observer.statement(text, () => this.send(sql, options))
      : this.send(sql, options));
    this.scope.tally.statements++;
    return rows as Row[];
  }

  private send(sql: Sql, options: QueryOptions): Promise<object[]> {
    const { connected, pool, transaction } = this.scope;
    if (transaction) return transaction.query(sql, options);
    return options.isBatched ? connected.batch.load(sql) : sendOn(pool, sql, options);
  }

  /** A statement of {@link em}, for which the number of rows counts. */
  execute(sql: string, values: readonly unknown[]): Promise<CountedRows> {
    return this.query(sql, values, { isCounted: true });
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
    const { connected, pool, transaction: outer } = this.scope;
    if (outer) return work(this);
    for (let attempt = 1; ; attempt++) {
      // A retry runs outside of a group.
      const groupCommit = attempt === 1 ? connected.groupCommit : undefined;
      try {
        const transaction = new Transaction(pool, groupCommit, {
          ...options,
          isDistributed: connected.isDistributed,
        });
        return await transact(transaction, work, this.on(transaction));
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
async function sendOn(
  pool: Connecting,
  sql: Sql,
  { mayReplan = false, isCounted = false }: QueryOptions,
): Promise<object[]> {
  const client = await pool.connect();
  try {
    return await client.rows(sql, { mayReplan, isCounted });
  } finally {
    client.release();
  }
}
