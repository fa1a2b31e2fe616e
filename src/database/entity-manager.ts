/**
 * MikroORM's entity manager on our own connections. Its statements run on the handle that created
 * it ({@link Handle}, a `Database`), so they see its transaction, use its owner's share of the
 * connections, and are counted and traced like all others. Values are sent as parameters: MikroORM
 * writes them into the text, which traces and logs contain.
 *
 * Overrides methods that MikroORM does not document for subclasses, verified against the version
 * below; test/database/entity-manager.test.ts fails when one of them behaves differently.
 */
import {
  isRaw,
  PostgreSqlConnection,
  PostgreSqlDriver,
  EntityManager as PostgreSqlEntityManager,
  PostgreSqlPlatform,
  type RawQueryFragment,
  raw,
  type SqlEntityManager,
  sql as sqlTag,
  type Transaction,
  Utils,
} from '@mikro-orm/postgresql';
import type { CountedRows } from './wire/client.js';

/** Read the test before you raise it. */
export const verifiedVersion = '7.2.1';

/** The connections or the transaction of an entity manager. */
export interface Handle {
  readonly inTransaction: boolean;
  readonly isDistributed: boolean;
  readonly em: EntityManager;
  execute(sql: string, values: readonly unknown[]): Promise<CountedRows>;
  transaction<T>(work: (tx: Handle) => Promise<T>): Promise<T>;
}

/** MikroORM passes the transaction context of an entity manager to its connection unread. */
const toContext = (handle: Handle) => handle as unknown as Transaction;
const toHandle = (context: unknown) => context as Handle | undefined;

/** An SQL expression as a value, such as sql`now()`, which its type does not tie to a property. */
export const sql = (parts: TemplateStringsArray, ...values: unknown[]): RawQueryFragment =>
  sqlTag(parts, ...values);

/** MikroORM's entity manager; see above. */
export class EntityManager extends PostgreSqlEntityManager<Driver> {
  /** A new entity manager with an identity map of its own. @param main Of the ORM. */
  static of(main: SqlEntityManager, handle: Handle): EntityManager {
    const em = main.fork() as unknown as EntityManager;
    em.setTransactionContext(toContext(handle));
    return em;
  }

  /** The `Database` whose connections or transaction it uses. */
  get handle(): Handle {
    const handle = toHandle(this.getTransactionContext());
    if (!handle)
      throw new Error('Use the entity manager of a Database: its connections are known.');
    return handle;
  }

  override isInTransaction(): boolean {
    return toHandle(this.getTransactionContext())?.inTransaction ?? false;
  }

  /**
   * Commits when `work` resolves, and rolls back when it rejects. Within a transaction it joins
   * that one. Like `Database.transaction`, it may run `work` again, with a new identity map.
   */
  override transactional<T>(work: (em: this) => T | Promise<T>): Promise<T> {
    return this.handle.transaction(async ({ em }) => {
      const result = await work(em as this);
      await em.flush();
      return result;
    });
  }

  /** One SQL statement with `$1` for its values, as `Database.query` runs it. */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.handle.execute(text, values)) as unknown as Row[];
  }
}

/** Runs statements on a {@link Handle}; without one, as MikroORM does, for migrations. */
class Connection extends PostgreSqlConnection {
  override async execute<T>(
    query: Parameters<PostgreSqlConnection['execute']>[0],
    given: Parameters<PostgreSqlConnection['execute']>[1] = [],
    method: 'all' | 'get' | 'run' = 'all',
    context?: Transaction,
    ...rest: []
  ): Promise<T> {
    const handle = toHandle(context);
    if (!handle?.execute) return super.execute(query, given, method, context, ...rest) as T;
    const { sql: text, params } =
      typeof query !== 'string'
        ? isRaw(query)
          ? query
          : query.toRaw()
        : Array.isArray(given)
          ? { sql: query, params: given as readonly unknown[] }
          : raw(query, given as Record<string, unknown>);
    const rows = await handle.execute(...parametrized(text, params));
    return this.transformRawResult({ rows, numAffectedRows: rows.affected }, method);
  }

  /** For `flush` outside of a transaction. */
  override transactional<T>(
    work: Parameters<PostgreSqlConnection['transactional']>[0],
    options?: Parameters<PostgreSqlConnection['transactional']>[1],
  ): Promise<T> {
    const handle = toHandle(options?.ctx);
    if (!handle?.execute) return super.transactional(work, options) as Promise<T>;
    return handle.transaction((tx) => work(toContext(tx) as never)) as Promise<T>;
  }
}

/** Numbers the values instead of writing them into the text. */
class Numbered extends PostgreSqlPlatform {
  readonly values: unknown[] = [];

  override quoteValue(value: unknown): string {
    if (isRaw(value)) return this.formatQuery(value.sql, value.params);
    if (Array.isArray(value)) return value.map((each) => this.quoteValue(each)).join(', ');
    const given = Utils.isPlainObject(value) ? JSON.stringify(value) : value;
    return `$${this.values.push(given)}`;
  }
}

function parametrized(text: string, params: readonly unknown[]): [string, unknown[]] {
  const numbered = new Numbered();
  return [numbered.formatQuery(text, params), numbered.values];
}

export class Driver extends PostgreSqlDriver {
  protected override readonly connection = new Connection(this.config);

  /** The errors of PostgreSQL stay as they are (failures.ts). */
  override convertException(error: Error): never {
    return error as never;
  }
}
