/** The way to PostgreSQL: a pool of connections, and the ORM that knows the tables. */
import { ReflectMetadataProvider } from '@mikro-orm/decorators/legacy';
import { type EntityClass, MikroORM, type Options, type SqlEntityManager } from '@mikro-orm/postgresql';
import { PostgresDialect } from 'kysely';
import { Groups } from './groups.js';
import { createFinder, createPool, type Finder, type Pool, poolOptions } from './pool.js';
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
  pools.set(orm.em.getDriver(), { pool, finder: createFinder(pool), groups: new Groups(pool) });
  // Kysely ends the pool only if it has used it itself; left open, it keeps the process alive.
  const close = orm.close.bind(orm);
  orm.close = async (force) => {
    await close(force);
    if (!pool.ending) await pool.end();
  };
  return orm;
}

interface Connected {
  readonly pool: Pool;
  readonly finder: Finder;
  readonly groups: Groups;
}

/** The pool of each driver: MikroORM keeps what it was given to itself. */
const pools = new WeakMap<object, Connected>();

/** What {@link connect} made for an ORM. */
export function connectedTo(em: SqlEntityManager): Connected {
  const connected = pools.get(em.getDriver());
  if (!connected) throw new Error('The entity manager is not of a connection made by connect().');
  return connected;
}
