/** One connection to PostgreSQL: how statements are sent and how their transaction begins and ends. */
import type { Socket } from 'node:net';
import pg from 'pg';
import { nameOf } from './names.js';
import { type Company, Statement } from './statement.js';
import { type Answer, rowsOf, Together } from './together.js';

/** Milliseconds that a connection has to close in good order. */
const goodbye = 1000;

/** A statement's text and its values. */
export type Sql = readonly [text: string, values: readonly unknown[]];

type Query = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

export interface ClientOptions extends pg.ClientConfig {
  /** Milliseconds after which a connection that leaves a statement unanswered is taken for dead. Left out, it may take its time. */
  readonly silenceLimit?: number;
  /** Whether it leads through a pooler in transaction mode. */
  readonly isPooled?: boolean;
}

/**
 * Prepares every statement that has parameters once per session, under a name; not through a pooler, where each transaction may be in another session.
 * Refuses a commit that PostgreSQL answers with ROLLBACK, as it does when a failed statement broke the transaction and its error was swallowed: the
 * writes are lost, so nobody may take them for done. Drops a connection that has fallen silent: PostgreSQL's own limits reach nobody through a network that swallows packets.
 */
export class Client extends pg.Client {
  readonly #silenceLimit: number | undefined;
  readonly #isPooled: boolean;

  constructor({ silenceLimit, isPooled = false, ...config }: ClientOptions = {}) {
    super(config);
    this.#silenceLimit = silenceLimit;
    this.#isPooled = isPooled;
  }

  static {
    const { query: send, end } = pg.Client.prototype as unknown as { query: Query; end: (done?: () => void) => unknown };
    Client.prototype.end = function close(this: Client, done?: () => void) {
      const timer = setTimeout(() => this.#connection.stream.destroy(), goodbye);
      this.once('end', () => clearTimeout(timer));
      return end.call(this, done);
    } as typeof pg.Client.prototype.end;
    Client.prototype.query = function query(this: Client, given: string | pg.QueryConfig, values: unknown[] = []) {
      const answer = this.#answered(send.call(this, typeof given === 'string' ? { text: given, values } : given));
      return given === 'commit' ? answer.then(refuseRollback) : answer;
    } as typeof pg.Client.prototype.query;
  }

  /** Runs one statement. @returns Its rows as records: see {@link Statement}. */
  async records<Row>(text: string, values: readonly unknown[], company?: Company): Promise<Row[]> {
    const { answer } = this.#send(this.#statement([text, values], company));
    return rowsOf(await this.#answered(answer.catch((error: Error) => error))) as Row[];
  }

  /** Runs statements in one round trip, with their company. */
  recordsTogether(all: readonly (readonly [Sql, Company?])[]): Promise<Answer[]> {
    return this.#answered(this.#send(new Together(all.map(([sql, company]) => this.#statement(sql, company)))).answers);
  }

  #send<Sent extends pg.Submittable>(sent: Sent): Sent {
    return super.query(sent);
  }

  #statement(sql: Sql, company?: Company): Statement<object> {
    return new Statement(...sql, this.#nameOf(sql), company);
  }

  /**
   * Runs statements that only read, in one round trip.
   * @returns The rows of each, or why it failed: what befalls one is nothing to the others.
   */
  async recordsOfEach(all: readonly Sql[]): Promise<(object[] | Error)[]> {
    const answers = all.length > 1 ? await this.recordsTogether(all.map((sql) => [sql])) : [];
    const found: (object[] | Error)[] = [];
    for (const [index, sql] of all.entries())
      found.push(answers[index] ?? (await this.records<object>(...sql).catch((error: Error) => error)));
    return found;
  }

  #nameOf([text, values]: Sql): string {
    return this.#isPooled || values.length === 0 ? '' : nameOf(text);
  }

  get #connection(): pg.Connection & { readonly stream: Socket } {
    return (this as unknown as { connection: pg.Connection & { stream: Socket } }).connection;
  }

  #answered<Answered>(answer: Promise<Answered>): Promise<Answered> {
    if (this.#silenceLimit === undefined) return answer;
    const silent = () => this.#connection.stream.destroy(Object.assign(new Error('PostgreSQL does not answer'), { code: 'ETIMEDOUT' }));
    const timer = setTimeout(silent, this.#silenceLimit);
    const heard = () => clearTimeout(timer);
    answer.then(heard, heard);
    return answer;
  }
}

function refuseRollback(result: pg.QueryResult): pg.QueryResult {
  if (result.command !== 'ROLLBACK') return result;
  throw new Error('The transaction was rolled back: a statement in it had failed, and its error was swallowed');
}
