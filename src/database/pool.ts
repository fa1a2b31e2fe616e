/** How Lanyard speaks with PostgreSQL: how statements are sent and how values come back. */
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { parsers } from './rows.js';
import { startOptions, writeLimit } from './session.js';
import { Statement } from './statement.js';

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
      const timer = setTimeout(() => this.#stream.destroy(), goodbye);
      this.once('end', () => clearTimeout(timer));
      return end.call(this, done);
    } as typeof pg.Client.prototype.end;
    Client.prototype.query = function query(this: Client, given: string | pg.QueryConfig, values: unknown[] = []) {
      const answer = this.#answered(send.call(this, typeof given === 'string' ? { text: given, values } : given));
      return given === 'commit' ? answer.then(refuseRollback) : answer;
    } as typeof pg.Client.prototype.query;
  }

  /** Runs one statement. @returns Its rows as records: see {@link Statement}. */
  async records<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const name = this.#isPooled || values.length === 0 ? '' : nameOf(text);
    const statement = new Statement<Row>(text, values, name);
    super.query(statement);
    try {
      return await this.#answered(statement.answer);
    } catch (error) {
      // From here on: the trace up to here is that of the socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  get #stream(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  #answered<Answer>(answer: Promise<Answer>): Promise<Answer> {
    if (this.#silenceLimit === undefined) return answer;
    const silent = () => this.#stream.destroy(Object.assign(new Error('PostgreSQL does not answer'), { code: 'ETIMEDOUT' }));
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

/** Milliseconds that PostgreSQL may be silent: by then its own limits have ended whatever it was asked for. */
export const silenceLimit = writeLimit + 2000;

/** Milliseconds that a connection has to close in good order. */
const goodbye = 1000;

/**
 * Milliseconds that a request waits for a slot in the pool, or for a new connection. Statements take milliseconds: who waits longer has met an overload, and
 * is better told than kept.
 */
export const connectLimit = 3000;

export interface PoolOptions {
  /** What `server_version_num` says: PostgreSQL refuses a session that names a setting it doesn't have. */
  readonly version: number;
  readonly poolSize: number;
  readonly timeLimits: boolean;
  /** Whether the URL leads through a pooler in transaction mode. */
  readonly isPooled: boolean;
}

/**
 * The options of a `pg` pool.
 * @param url Everything that libpq's URLs may say, TLS included; its own `options` stay.
 */
export function poolOptions(url: string, { version, poolSize, timeLimits, isPooled }: PoolOptions): pg.PoolConfig {
  const address = new URL(url);
  if (!isPooled) {
    const settings = [address.searchParams.get('options') ?? '', startOptions(version, timeLimits)];
    address.searchParams.set('options', settings.join(' ').trim());
  }
  return {
    connectionString: address.href,
    isPooled,
    max: poolSize,
    connectionTimeoutMillis: connectLimit,
    ...(timeLimits && { silenceLimit }),
    // A session is worth keeping, for its prepared statements.
    idleTimeoutMillis: 300_000,
    keepAlive: true,
    types: parsers,
    Client,
  } as pg.PoolConfig;
}

/** A connection that is given back with `release`. */
export type PoolClient = Client & Pick<pg.PoolClient, 'release'>;
export type Pool = { connect(): Promise<PoolClient> } & pg.Pool;

/** A pool whose broken connections are no event of their own: whoever waits for a statement is told by its promise. */
export function createPool(options: pg.PoolConfig): Pool {
  const told = () => {};
  return new pg.Pool(options).on('error', told).on('connect', (client) => void client.on('error', told)) as Pool;
}

/** Runs `work` in a transaction of its own, which commits when it resolves and rolls back when it rejects. */
export async function transact<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    broken = await client.query('rollback').then(
      () => undefined,
      (reason: Error) => reason,
    );
    throw error;
  } finally {
    // What can't even roll back is closed, not handed on.
    client.release(broken);
  }
}
