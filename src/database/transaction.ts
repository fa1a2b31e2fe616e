/** One transaction: what of it goes out together. */
import type { Sql } from './client.js';
import { overtaken } from './failures.js';
import { Member, type Sharing } from './group.js';
import type { Groups } from './groups.js';
import type { Pool, PoolClient } from './pool.js';
import type { Company } from './statement.js';
import { type Answer, NotSent, rowsOf } from './together.js';

/** A statement that waits to go out with another, and its rows by then. */
class Waiting {
  readonly rows = Promise.withResolvers<object[]>();
  constructor(
    readonly sql: Sql,
    readonly undo: readonly Sql[] = [],
  ) {}
}

/** What may come after the statement that the work of a transaction concludes with: its last statement is what {@link Transaction.endWith} puts there. */
export type Following = 'anything' | 'last' | 'nothing';

/** Its begin goes out with its first statement, a round trip less; without statements nothing goes out at all, and no connection is taken. */
export class Transaction {
  #connection: Promise<PoolClient> | undefined;
  #broken: Error | undefined;
  #isBegun = false;
  #ahead: Waiting[] = [];
  #last: Waiting | undefined;
  /** What it is in a group, once it has concluded there. */
  #member: Member | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly groups: Groups | undefined,
    private readonly following: Following,
  ) {}

  /**
   * A statement that goes out with the next one, ahead of it; when it fails, the next one isn't run, and rejects with its error.
   * @param undo What undoes it where that alone is to be undone.
   * @returns Its rows.
   */
  startWith(sql: Sql, ...undo: readonly Sql[]): Promise<object[]> {
    const waiting = new Waiting(sql, undo);
    this.#ahead.push(waiting);
    return waiting.rows.promise;
  }

  /** A statement that the transaction does last: it goes out with the commit. @returns Its rows. */
  endWith(sql: Sql): Promise<object[]> {
    this.#last = new Waiting(sql);
    return this.#last.rows.promise;
  }

  /**
   * Runs the statement that the work ends with: with the commit, where nothing follows; in a group, where it is all that the work does.
   * @param sharing As what it may go with others; left out, it goes alone.
   * @returns Its rows as records.
   */
  async conclude<Row>(sql: Sql, sharing?: Sharing): Promise<Row[]> {
    if (this.following === 'anything' || this.#last) return this.records(...sql);
    if (!this.#isBegun && this.groups && sharing) return this.#join(sql, this.groups, sharing);
    if (this.following === 'last') return this.records(...sql);
    // What goes out in one piece is a transaction.
    if (!this.#isBegun) return this.#send(sql);
    const rows = await this.records<Row>(...sql, { commits: true });
    this.#isBegun = false;
    return rows;
  }

  #join<Row>(write: Sql, groups: Groups, sharing: Sharing): Promise<Row[]> {
    const ahead = this.#takeAhead();
    const isWhole = this.following === 'nothing';
    const undo = ahead.flatMap((waiting) => waiting.undo);
    const member = new Member({ ahead: ahead.map(({ sql }) => sql), undo, write, sharing, isWhole });
    if (!isWhole) this.#member = member;
    groups.join(member);
    return lastOf(ahead, member.answers.promise);
  }

  /** Runs one statement. @returns Its rows as records. */
  async records<Row>(text: string, values: readonly unknown[], company: Omit<Company, 'begins'> = {}): Promise<Row[]> {
    if (this.#member) throw overtaken(new Error('What went with others has more to do, which is to be done alone'));
    const begins = !this.#isBegun;
    this.#isBegun = true;
    return this.#send([text, values], { ...company, begins });
  }

  async #send<Row>(sql: Sql, { begins = false, ...company }: Company = {}): Promise<Row[]> {
    const ahead = this.#takeAhead();
    this.#connection ??= this.pool.connect();
    if (ahead.length === 0) return (await this.#connection).records<Row>(...sql, { ...company, begins });
    const all = [...ahead.map((each, index) => [each.sql, { begins: begins && index === 0 }] as const), [sql, company] as const];
    return lastOf(
      ahead,
      this.#connection.then((client) => client.recordsTogether(all)),
    );
  }

  #takeAhead(): readonly Waiting[] {
    const ahead = this.#ahead;
    this.#ahead = [];
    return ahead;
  }

  async commit(): Promise<void> {
    const last = this.#last;
    if (this.#member) {
      this.#member.last.resolve(last?.sql);
      last?.rows.resolve(this.#member.end.promise);
      await this.#member.end.promise;
    } else if (last) {
      const rows = this.records<object>(...last.sql, { commits: true });
      last.rows.resolve(rows);
      await rows;
    } else if (this.#isBegun) await (await this.#connection)?.query('commit');
  }

  async rollback(): Promise<void> {
    this.#member?.last.reject(new NotSent('It was rolled back'));
    try {
      if (this.#isBegun) await (await this.#connection)?.query('rollback');
    } catch (error) {
      this.#broken = error as Error;
    }
    await this.#member?.end.promise.catch(() => {});
  }

  /** To be called when it has ended, in either way. */
  async close(): Promise<void> {
    for (const { rows } of this.#ahead) rows.reject(new NotSent('There was no statement to go out with'));
    const client = await this.#connection?.catch(() => undefined);
    // What can't even roll back is closed, not handed on.
    client?.release(this.#broken);
  }
}

/** Tells those that went ahead. @returns The rows of the statement behind them. */
async function lastOf<Row>(ahead: readonly Waiting[], all: Promise<readonly Answer[]>): Promise<Row[]> {
  for (const [index, { rows }] of ahead.entries()) rows.resolve(all.then((answers) => rowsOf(answers[index])));
  return (await all).map(rowsOf).at(-1) as Row[];
}

/** Runs `work` in a transaction of its own, which commits when it resolves and rolls back when it rejects. */
export async function transact<T>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<T>,
  groups?: Groups,
  following: Following = 'anything',
): Promise<T> {
  const transaction = new Transaction(pool, groups, following);
  try {
    const result = await work(transaction);
    await transaction.commit();
    return result;
  } catch (error) {
    await transaction.rollback();
    throw error;
  } finally {
    await transaction.close();
  }
}
