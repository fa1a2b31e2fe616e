/** A transaction: pipelines its statements, and decides when it commits. */
import { overtaken, tookTooLong } from './failures.js';
import type { GroupCommit, GroupMember } from './group-commit/group-commit.js';
import { lockReferences, usesReferences } from './placements.js';
import type { Connecting, PoolClient } from './pool.js';
import { lockClock } from './version-clock.js';
import { type PipelineOptions, type Result, rowsOf, type Sql } from './wire/client.js';

/**
 * What may follow the statement that is marked as last: anything, only appended statements, or
 * nothing.
 */
export type AfterLast = 'anything' | 'appended' | 'nothing';

export interface TransactionOptions {
  readonly afterLast?: AfterLast;
  /**
   * Milliseconds after which no further statement starts. Without it only PostgreSQL's own limits
   * apply.
   */
  readonly limitMs?: number | undefined;
  /**
   * Whether the tables are distributed over a cluster. Statements of one message without `begin`
   * would be committed one by one there.
   */
  readonly isDistributed?: boolean;
}

/** Options of a statement in a transaction. */
export interface StatementOptions {
  /** Lets PostgreSQL plan for the values: for lists with a condition that no index serves. */
  readonly mayReplan?: boolean;
  /** Like {@link PipelineOptions.isCounted}. */
  readonly isCounted?: boolean;
  /**
   * Whether the work ends with it: it is then sent with the commit where {@link AfterLast} allows.
   */
  readonly isLast?: boolean;
  /**
   * The organization whose version clock it advances. The clock is locked before it, so that it has
   * a later snapshot.
   */
  readonly clock?: string | undefined;
  /**
   * Its text in a group commit, for the same values: returns no row, instead of failing the group,
   * where a row that it inserts exists already. Without it the statement never joins a group.
   */
  readonly groupText?: string | undefined;
}

/** A statement that is sent together with another one. */
interface Attached {
  readonly sql: Sql;
  readonly undo: readonly Sql[];
  readonly rows: PromiseWithResolvers<object[]>;
}

const attach = (sql: Sql, undo: readonly Sql[]): Attached => ({
  sql,
  undo,
  rows: Promise.withResolvers<object[]>(),
});

/**
 * `begin` is sent with the first statement, which saves a round trip. Without statements nothing is
 * sent and no connection is taken. A statement is sent only after the previous one has completed.
 */
export class Transaction {
  private client: Promise<PoolClient> | undefined;
  private broken: Error | undefined;
  private isBegun = false;
  private prepended: Attached[] = [];
  private appended: Attached | undefined;
  /** Its membership of a group commit, if any. */
  private member: GroupMember | undefined;
  /** Whether it has a time limit, as a document of several mutations has. */
  private readonly isLimited: boolean;
  /** Settles when no statement is in progress. */
  private idle: Promise<unknown> = Promise.resolve();
  private isOver = false;
  private hasReferences = false;
  private readonly afterLast: AfterLast;
  private readonly deadline: number;
  private readonly isDistributed: boolean;

  constructor(
    private readonly pool: Connecting,
    private readonly groupCommit: GroupCommit | undefined,
    {
      afterLast = 'anything',
      limitMs = Number.POSITIVE_INFINITY,
      isDistributed = false,
    }: TransactionOptions = {},
  ) {
    this.afterLast = afterLast;
    this.isDistributed = isDistributed;
    this.deadline = performance.now() + limitMs;
    this.isLimited = Number.isFinite(limitMs);
  }

  /**
   * Sends a statement together with the next one, before it. If it fails, the next one is not run
   * and rejects with its error.
   * @param undo Statements that undo it, when it alone must be undone.
   * @returns Its rows. Rejects when the transaction ends without a further statement.
   */
  prepend(sql: Sql, ...undo: readonly Sql[]): Promise<object[]> {
    const attached = attach(sql, undo);
    this.prepended.push(attached);
    return attached.rows.promise;
  }

  /**
   * Shortens the lock timeout of a document of several mutations that has locked the version clock.
   * Other writers wait for the clock, and may hold records that the document locks next.
   */
  waitBriefly(): void {
    if (this.isLimited) this.prepend([`set local lock_timeout = '100ms'`, []]).catch(() => {});
  }

  /** Sends a statement with the commit. @returns Its rows. */
  append(sql: Sql): Promise<object[]> {
    this.appended = attach(sql, []);
    return this.appended.rows.promise;
  }

  /**
   * Runs one statement. Only this method decides whether the commit is sent with it.
   * @returns Its rows as records.
   */
  async query(
    sql: Sql,
    {
      mayReplan = false,
      isCounted = false,
      isLast = false,
      clock,
      groupText,
    }: StatementOptions = {},
  ): Promise<object[]> {
    if (this.member)
      throw overtaken(
        new Error('A member of a group commit has further statements, which it must run alone'),
      );
    const ends = isLast && this.afterLast !== 'anything' && !this.appended;
    if (ends && !this.isBegun && this.groupCommit && clock !== undefined && groupText !== undefined)
      return this.join(this.groupCommit, sql, clock, groupText);
    if (clock !== undefined) this.prepend([lockClock, [clock]]).catch(() => {});
    if (this.isDistributed) this.queueForReferences(sql);
    const commits = ends && this.afterLast === 'nothing';
    // A pipeline that ends here is a transaction by itself.
    const isTransaction = this.prepended.length === 0 || !this.isDistributed;
    if (commits && !this.isBegun && isTransaction) return this.send(sql, { mayReplan });
    const begins = this.begin();
    const rows = await this.send(sql, { mayReplan, isCounted, commits, begins });
    if (commits) this.isBegun = false;
    if (clock !== undefined && this.isLimited) this.waitBriefly();
    return rows;
  }

  /** Takes the lock of reference tables before the first statement that needs it. */
  private queueForReferences(sql: Sql): void {
    if (this.hasReferences) return;
    this.hasReferences =
      usesReferences(sql) || this.prepended.some((each) => usesReferences(each.sql));
    if (!this.hasReferences) return;
    const lock = attach(lockReferences, []);
    // The next statement reports its failure.
    lock.rows.promise.catch(() => {});
    this.prepended.unshift(lock);
  }

  /**
   * @returns Whether the next statement is the first.
   * @throws when the transaction exceeded its time limit.
   */
  private begin(): boolean {
    if (performance.now() > this.deadline) throw tookTooLong();
    const isFirst = !this.isBegun;
    this.isBegun = true;
    return isFirst;
  }

  private join(
    groupCommit: GroupCommit,
    write: Sql,
    clock: string,
    groupText: string,
  ): Promise<object[]> {
    const { prepended: ahead } = this;
    this.prepended = [];
    const isWhole = this.afterLast === 'nothing';
    const undo = ahead.flatMap((each) => each.undo);
    const member = groupCommit.join({
      ahead: ahead.map(({ sql }) => sql),
      undo,
      write,
      clock,
      groupText,
      isWhole,
    });
    if (!isWhole) this.member = member;
    return lastOf(ahead, member.results.promise);
  }

  private send(sql: Sql, options: PipelineOptions): Promise<object[]> {
    const { prepended: ahead } = this;
    this.prepended = [];
    const statements = ahead.length === 0 ? [sql] : [...ahead.map((each) => each.sql), sql];
    return lastOf(
      ahead,
      this.inTurn((client) => client.send(statements, options)),
    );
  }

  /** Waits for the previous statement, since pg 9 no longer queues statements. */
  private inTurn<T>(send: (client: PoolClient) => Promise<T>): Promise<T> {
    if (this.isOver) return Promise.reject(new Error('The transaction has ended'));
    this.client ??= this.pool.connect();
    const { client } = this;
    const done = this.idle.then(() => client).then(send);
    this.idle = done.catch(() => {});
    return done;
  }

  async commit(): Promise<void> {
    const { appended, member } = this;
    if (member) {
      member.last.resolve(appended?.sql);
      appended?.rows.resolve(member.end.promise);
      await member.end.promise;
    } else if (appended) {
      const rows = this.send(appended.sql, { begins: this.begin(), commits: true });
      appended.rows.resolve(rows);
      await rows;
    } else if (this.isBegun) await this.inTurn((client) => client.query('commit'));
  }

  async rollback(): Promise<void> {
    this.member?.last.reject(overtaken(new Error('It was rolled back')));
    try {
      if (this.isBegun) await this.inTurn((client) => client.query('rollback'));
    } catch (error) {
      this.broken = error as Error;
    }
    await this.member?.end.promise.catch(() => {});
  }

  /** Releases the connection. Call it when the transaction has ended. */
  async close(): Promise<void> {
    this.isOver = true;
    for (const { rows } of this.prepended)
      rows.reject(new Error('There was no statement to send it with'));
    const client = await this.client?.catch(() => undefined);
    // A connection whose rollback failed is closed, not reused.
    client?.release(this.broken);
  }
}

/** Settles the prepended statements. @returns The rows of the statement after them. */
async function lastOf(
  ahead: readonly Attached[],
  pipeline: Promise<readonly Result[]>,
): Promise<object[]> {
  for (const [index, { rows }] of ahead.entries())
    rows.resolve(pipeline.then((results) => rowsOf(results[index])));
  let rows: object[] = [];
  for (const result of await pipeline) rows = rowsOf(result);
  return rows;
}

/**
 * Runs `work` in a transaction, which commits when it resolves and rolls back when it rejects.
 * @param tx The handle of the transaction, for `work`.
 */
export async function transact<Handle, T>(
  transaction: Transaction,
  work: (tx: Handle) => Promise<T>,
  tx: Handle,
): Promise<T> {
  try {
    const result = await work(tx);
    await transaction.commit();
    return result;
  } catch (error) {
    await transaction.rollback();
    throw error;
  } finally {
    await transaction.close();
  }
}
