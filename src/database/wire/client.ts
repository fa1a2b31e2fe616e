/** One connection to PostgreSQL: sends statements and decodes their rows. */
import DataLoader from 'dataloader';
import pg from 'pg';
import { clientMethods, connectionOf } from './pg-internals.js';
import { Pipeline, type PipelineOptions, type Result, rowsOf, type Sql } from './pipeline.js';
import type { Build } from './rows.js';

export type { CountedRows, PipelineOptions, Result, Sql } from './pipeline.js';
export { rowsOf } from './pipeline.js';

const closeTimeoutMs = 1000;

export interface ClientOptions extends pg.ClientConfig {
  /** Milliseconds without a response after which a connection counts as dead. Default: no limit. */
  readonly silenceLimit?: number;
  /** Whether it leads through a pooler in transaction mode. */
  readonly isPooled?: boolean;
}

/**
 * Prepares each statement with values once per session, under a name; not through a pooler, where
 * each transaction may run in another session. Rejects a commit to which PostgreSQL responds with
 * ROLLBACK, as it does after a failed statement whose error was swallowed: the writes are lost.
 * Drops a connection that is silent for too long: PostgreSQL's own limits have no effect through a
 * network that drops packets.
 */
export class Client extends pg.Client {
  readonly #silenceLimit: number | undefined;
  readonly #isPooled: boolean;
  readonly #prepared = new Map<string, Build>();

  constructor({ silenceLimit, isPooled = false, ...config }: ClientOptions = {}) {
    super(config);
    this.#silenceLimit = silenceLimit;
    this.#isPooled = isPooled;
  }

  static {
    Client.prototype.end = function close(this: Client, done?: () => void) {
      const timer = setTimeout(() => connectionOf(this).stream.destroy(), closeTimeoutMs);
      this.once('end', () => clearTimeout(timer));
      return clientMethods.end.call(this, done);
    } as typeof pg.Client.prototype.end;
    Client.prototype.query = function query(
      this: Client,
      given: string | pg.QueryConfig,
      values: unknown[] = [],
    ) {
      const answer = this.#answered(
        clientMethods.query.call(this, typeof given === 'string' ? { text: given, values } : given),
      );
      return given === 'commit' ? answer.then(refuseRollback) : answer;
    } as typeof pg.Client.prototype.query;
  }

  /**
   * Pipelines statements.
   * @returns The result of each: rows as records, an error, or undefined where PostgreSQL skipped
   * it.
   */
  send(statements: readonly Sql[], options: PipelineOptions = {}): Promise<Result[]> {
    return this.#answered(
      super.query(new Pipeline(statements, options, this.#prepared, !this.#isPooled)).results,
    );
  }

  /** Runs one statement. @returns Its rows as records. */
  async rows(sql: Sql, options?: PipelineOptions): Promise<object[]> {
    return rowsOf((await this.send([sql], options))[0]);
  }

  /**
   * Runs statements that only read, in one round trip.
   * @returns The rows of each, or its error. Statements that PostgreSQL skipped after a failure are
   * sent again, one by one.
   */
  async rowsOfEach(statements: readonly Sql[]): Promise<(object[] | Error)[]> {
    const found: (object[] | Error)[] = [];
    for (const [index, result] of (await this.send(statements)).entries())
      found.push(
        result ?? (await this.rows(statements[index] as Sql).catch((error: Error) => error)),
      );
    return found;
  }

  async #answered<Answered>(answer: Promise<Answered>): Promise<Answered> {
    if (this.#silenceLimit === undefined) return answer;
    const timer = setTimeout(() => {
      const error = new Error('PostgreSQL does not answer');
      connectionOf(this).stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
    }, this.#silenceLimit);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }
}

export type BatchLoader = DataLoader<Sql, object[]>;

/** Maximum batch size: amortizes the round trip without delaying the last entry. */
const maxBatchSize = 16;

/** Runs short reads of one turn of the event loop on one connection. */
export const createBatchLoader = (pool: {
  connect(): Promise<Client & Pick<pg.PoolClient, 'release'>>;
}): BatchLoader =>
  new DataLoader(
    async (all) => {
      const client = await pool.connect();
      try {
        return await client.rowsOfEach(all);
      } finally {
        client.release();
      }
    },
    { cache: false, maxBatchSize },
  );

function refuseRollback(result: pg.QueryResult): pg.QueryResult {
  if (result.command !== 'ROLLBACK') return result;
  throw new Error(
    'The transaction was rolled back: a statement in it had failed, and its error was swallowed',
  );
}
