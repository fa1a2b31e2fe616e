/** The connection to PostgreSQL, and the one handle through which everything else uses it. */

import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { type EntityClass, MikroORM, type Options, type SqlEntityManager } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import { observer } from '../telemetry/observer.js';
import type { Sql } from './client.js';
import { isRetryable } from './failures.js';
import {
  type Connections,
  connectionsOf,
  createFinder,
  createPool,
  type Finder,
  type Pool,
  type PoolClient,
  poolOptions,
  transact,
} from './pool.js';
import { checkServer } from './session.js';
import type { Company } from './statement.js';

export interface ConnectOptions {
  readonly poolSize: number;
  readonly entities: EntityClass<object>[];
  readonly migrations?: NonNullable<Options['migrations']>;
  /** False for work that may take longer than a request: migrations, demo data. */
  readonly timeLimits?: boolean;
  /** Whether the URL leads through a pooler in transaction mode. */
  readonly isPooled?: boolean;
}

/**
 * @throws when PostgreSQL can't be reached, refuses us, or is older than 15.
 * @throws {ConfigError} when the role behind a pooler lacks settings.
 */
export async function connect(
  url: string,
  { poolSize, entities, migrations = {}, timeLimits = true, isPooled = false }: ConnectOptions,
): Promise<MikroORM> {
  const version = await checkServer(url, isPooled);
  const pool = createPool(poolOptions(url, { version, poolSize, timeLimits, isPooled }));
  const orm = await MikroORM.init({
    clientUrl: url,
    driverOptions: new PostgresDialect({ pool }),
    entities,
    migrations,
    metadataProvider: ReflectMetadataProvider,
    discovery: { warnWhenNoEntities: false },
    ensureDatabase: false,
    preferReadReplicas: false,
    // What goes wrong rejects; the rest is no news.
    logger: () => {},
  });
  pools.set(orm.em.getDriver(), { pool, finder: createFinder(pool) });
  // Kysely ends the pool only if it has used it itself; left open, it keeps the process alive.
  const close = orm.close.bind(orm);
  orm.close = async (force) => {
    await close(force);
    if (!pool.ending) await pool.end();
  };
  return orm;
}

/** The pool of each driver: MikroORM keeps what it was given to itself. */
const pools = new WeakMap<object, { readonly pool: Pool; readonly finder: Finder }>();

/** Times that the work of a transaction is tried. */
const mostAttempts = 3;

/**
 * A pool, or one transaction of it. Statements go to the driver directly: the layers above it have nothing to give to rows that are only read.
 */
export class Database {
  readonly #pool: Pool;
  readonly #finder: Finder;
  readonly #client: PoolClient | undefined;
  readonly #tally: { statements: number };
  readonly #end: ((last: Sql) => void) | undefined;

  /** @param em Of an ORM that {@link connect} made; it tells the tables and columns of entities. */
  constructor(
    readonly em: SqlEntityManager,
    client?: PoolClient,
    tally = { statements: 0 },
    end?: (last: Sql) => void,
  ) {
    const connected = pools.get(em.getDriver());
    if (!connected) throw new Error('The entity manager is not of a connection made by connect().');
    this.#pool = connected.pool;
    this.#finder = connected.finder;
    this.#client = client;
    this.#tally = tally;
    this.#end = end;
  }

  /** True inside {@link transaction}. */
  get inTransaction(): boolean {
    return this.#client !== undefined;
  }

  /** Of the pool, at this moment. */
  get connections(): Connections {
    return connectionsOf(this.#pool);
  }

  /** Statements that succeeded since {@link counted}, those of transactions included. */
  get statements(): number {
    return this.#tally.statements;
  }

  /** The same pool with a count of its own. @param statements What it begins with. */
  counted(statements = 0): Database {
    return new Database(this.em, this.#client, { statements });
  }

  /** A transaction, of another server even, in the count of this one. */
  on(client: PoolClient, end?: (last: Sql) => void): Database {
    return new Database(this.em, client, this.#tally, end);
  }

  /** A statement that the transaction does last, with its commit; what it gives isn't read. */
  endWith(sql: string, values: readonly unknown[]): void {
    if (!this.#end) throw new Error('There is no transaction to end.');
    this.#end([sql, values]);
    this.#tally.statements++;
  }

  /**
   * Runs one statement, prepared by name when it has values. Timestamps are RFC 3339 text with six digits, dates `YYYY-MM-DD`. A column `type.slug` becomes
   * the property `slug` of an object `type`.
   */
  query<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.#told(sql, () => this.#send(sql, values));
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
    if (this.#client) return this.#client.records(sql, values, company);
    const client = await this.#pool.connect();
    try {
      return await client.records(sql, values, company);
    } finally {
      client.release();
    }
  }

  /**
   * Commits when `work` resolves; rolls back when it rejects. Within a transaction it only joins that one.
   * @param work Repeated, up to twice, after a deadlock: it must do nothing that a rollback doesn't undo.
   */
  async transaction<T>(work: (tx: Database) => Promise<T>): Promise<T> {
    if (this.inTransaction) return work(this);
    for (let attempt = 1; ; attempt++) {
      try {
        return await transact(this.#pool, (client, end) => work(this.on(client, end)));
      } catch (error) {
        if (attempt === mostAttempts || !isRetryable(error)) throw error;
      }
    }
  }
}
