/** The connection to PostgreSQL, and the one handle through which everything else uses it. */

import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { type EntityClass, MikroORM, type Options, type SqlEntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely, type KyselyPlugin, type Transaction } from 'kysely';
import { poolOptions } from './pool.js';
import { checkServer } from './session.js';

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
  return MikroORM.init({
    clientUrl: url,
    driverOptions: poolOptions(url, { version, poolSize, timeLimits, isPooled }),
    entities,
    migrations,
    metadataProvider: ReflectMetadataProvider,
    discovery: { warnWhenNoEntities: false },
    ensureDatabase: false,
    preferReadReplicas: false,
    // What goes wrong rejects; the rest is no news.
    logger: () => {},
  });
}

/** Deadlock, and serialization failure: PostgreSQL rolled back, and the same work may pass when repeated. */
const retryable: ReadonlySet<string | undefined> = new Set(['40P01', '40001']);
const mostAttempts = 3;

export const isRetryable = (error: unknown): boolean => retryable.has(pgError(error)?.code);

/** Throw it in a {@link Database.transaction} to have the work repeated: what it had read was overtaken by another's commit. */
export const overtaken = (cause: unknown): Error => Object.assign(new Error('overtaken', { cause }), { code: '40001', severity: 'ERROR' });

interface Tally {
  statements: number;
}

const counting = (tally: Tally): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    tally.statements++;
    return result;
  },
});

/** A pool, or one transaction of it. */
export class Database {
  readonly #kysely: Kysely<unknown>;
  readonly #tally: Tally;

  /** @param em For native inserts, updates and deletes in a {@link transaction}, which they join. */
  constructor(
    readonly em: SqlEntityManager,
    kysely: Kysely<unknown> = em.getKysely(),
    tally: Tally = { statements: 0 },
  ) {
    this.#kysely = kysely;
    this.#tally = tally;
  }

  /** True inside {@link transaction}. */
  get inTransaction(): boolean {
    return this.#kysely.isTransaction;
  }

  /** Statements that succeeded since {@link counted}, those of `em` and of transactions included. */
  get statements(): number {
    return this.#tally.statements;
  }

  /** The same pool with a count of its own. */
  counted(): Database {
    const tally = { statements: 0 };
    return new Database(this.em, this.#kysely.withPlugin(counting(tally)), tally);
  }

  /** A transaction of another server, in the count of this one. */
  on(transaction: Transaction<unknown>): Database {
    return this.#join(transaction.withPlugin(counting(this.#tally)));
  }

  #join(transaction: Transaction<unknown>): Database {
    const em = this.em.fork();
    em.setTransactionContext(transaction);
    return new Database(em, transaction, this.#tally);
  }

  /** Runs one statement, prepared by name when it has values. Timestamps are RFC 3339 text with six digits, dates `YYYY-MM-DD`. */
  async query<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.#kysely.executeQuery<Row>(CompiledQuery.raw(sql, values as unknown[]));
    return rows;
  }

  /**
   * Flushes `tx.em` and commits when `work` resolves; rolls back when it rejects. Within a transaction it only joins that one.
   * @param work Repeated, up to twice, after a deadlock: it must do nothing that a rollback doesn't undo.
   */
  async transaction<T>(work: (tx: Database) => Promise<T>): Promise<T> {
    if (this.inTransaction) return work(this);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transact(work);
      } catch (error) {
        if (attempt === mostAttempts || !isRetryable(error)) throw error;
      }
    }
  }

  /** Kysely's own transaction and not the entity manager's, which never returns a connection that died in it: with each death the pool had one less. */
  #transact<T>(work: (tx: Database) => Promise<T>): Promise<T> {
    return this.#kysely.transaction().execute(async (transaction) => {
      const tx = this.#join(transaction);
      const result = await work(tx);
      await tx.em.flush();
      return result;
    });
  }
}

/** What PostgreSQL says of a failed statement. */
export interface PgError extends Error {
  /** The SQLSTATE: `23505` where a unique key has the value already. */
  readonly code: string;
  readonly severity: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly column?: string;
  readonly detail?: string;
}

/** The error as PostgreSQL's, whether MikroORM wrapped it (which keeps the fields) or not. Undefined for any other error. */
export function pgError(error: unknown): PgError | undefined {
  return error instanceof Error && 'severity' in error && 'code' in error ? (error as PgError) : undefined;
}

/** Connection lost, too many connections, shutdown, cancelled; time limits; a server that isn't the primary (yet); and what {@link Database.transaction} repeated in vain. */
const passing = /^(08|53|57|25006|25P03|25P04|55P03|40001|40P01)/;
/** `pg` has no codes for its own failures; Node has them for the network's. */
const lost =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)|\bE(CONN\w+|PIPE|TIMEDOUT|HOSTUNREACH|NOTFOUND|AI_AGAIN)\b/;

/** True when PostgreSQL, or a slot in the pool, can't be had just now: the same request may pass a little later. */
export function isUnavailable(error: unknown): boolean {
  const known = pgError(error);
  if (known) return passing.test(known.code);
  return error instanceof Error && lost.test('code' in error ? String(error.code) : error.message);
}
