/** One connection to PostgreSQL: how statements are sent and how their transaction begins and ends. */
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { type Company, isPrepared, Statement } from './statement.js';
import { Together } from './together.js';

/** Texts that get a name in each session. Past that a text is parsed at each use: a session's memory must not grow with what clients select. */
const mostNames = 500;
const names = new Map<string, string>();

/** The same name for the same text in every process, so that sessions shared through a pooler never mix two texts up. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= mostNames) return '';
    name = createHash('sha256').update(text).digest('base64url');
    names.set(text, name);
  }
  return name;
}

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
  /** A transaction whose begin wasn't sent yet. */
  #begins = false;

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

  /** Begins a transaction, which goes out with its first statement: a round trip less. */
  begin(): void {
    this.#begins = true;
  }

  /** @param last What the transaction does last: it goes out with the commit. */
  async commit(last?: Sql): Promise<void> {
    if (last) await this.records(...last, { commits: true });
    else if (!this.#begins) await this.query('commit');
    this.#begins = false;
  }

  async rollback(): Promise<void> {
    if (!this.#begins) await this.query('rollback');
    this.#begins = false;
  }

  /** Runs one statement. @returns Its rows as records: see {@link Statement}. */
  async records<Row>(text: string, values: readonly unknown[], company: Omit<Company, 'begins'> = {}): Promise<Row[]> {
    const statement = new Statement<Row>(text, values, this.#nameOf([text, values]), { ...company, begins: this.#begins });
    this.#begins = false;
    super.query(statement);
    try {
      return await this.#answered(statement.answer);
    } catch (error) {
      // From here on: the trace up to here is that of the socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  /**
   * Runs statements that only read, in one round trip once the connection has prepared them.
   * @returns The rows of each, or why it failed: what befalls one is nothing to the others.
   */
  async recordsOfEach(all: readonly Sql[]): Promise<(object[] | Error)[]> {
    const answers: (object[] | Error | undefined)[] = await this.#together(all);
    const found: (object[] | Error)[] = [];
    for (const [index, [text, values]] of all.entries())
      found.push(answers[index] ?? (await this.records<object>(text, values).catch((error: Error) => error)));
    return found;
  }

  /** What can be sent in one piece; undefined for what was left out because another failed. */
  async #together(all: readonly Sql[]): Promise<(object[] | Error | undefined)[]> {
    const named = all.map((sql) => ({ sql, name: this.#nameOf(sql) }));
    if (all.length === 1 || !named.every(({ name }) => isPrepared(this.#connection, name))) return [];
    const together = new Together(named.map(({ sql: [text, values], name }) => new Statement<object>(text, values, name)));
    super.query(together);
    return this.#answered(together.answers);
  }

  #nameOf([text, values]: Sql): string {
    return this.#isPooled || values.length === 0 ? '' : nameOf(text);
  }

  get #connection(): pg.Connection & { readonly stream: Socket } {
    return (this as unknown as { connection: pg.Connection & { stream: Socket } }).connection;
  }

  #answered<Answer>(answer: Promise<Answer>): Promise<Answer> {
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
