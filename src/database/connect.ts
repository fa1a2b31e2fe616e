/** Connects to PostgreSQL: a pool of connections, and the ORM with the metadata of the tables. */
import type { EntityClass, MikroORM, Options, SqlEntityManager } from '@mikro-orm/postgresql';
import { Driver, EntityManager } from './entity-manager.js';
import { type GroupCommit, GroupCommitByOrganization } from './group-commit/group-commit.js';
import { initOrm } from './mikro-orm-internals.js';
import { createPool, type Pool, poolOptions } from './pool.js';
import { checkServer } from './session.js';
import { OwnedPool, sharesOf, Turns } from './turns.js';
import { type BatchLoader, createBatchLoader } from './wire/client.js';

export interface ConnectOptions {
  readonly poolSize: number;
  readonly entities: EntityClass<object>[];
  readonly migrations?: NonNullable<Options['migrations']>;
  /** False for work that may take longer than a request: migrations, demo data. */
  readonly timeLimits?: boolean;
  /** Whether the URL leads through a pooler in transaction mode. */
  readonly isPooled?: boolean;
  /** False: each create has its own transaction (group-commit/group-commit.ts). */
  readonly groupCommit?: boolean;
}

/**
 * @throws when PostgreSQL is unreachable, refuses the connection, or is older than 15.
 * @throws {ConfigError} when the role behind a pooler lacks settings.
 */
export async function connect(
  url: string,
  {
    poolSize,
    entities,
    migrations = {},
    timeLimits = true,
    isPooled = false,
    groupCommit = true,
  }: ConnectOptions,
): Promise<MikroORM> {
  const server = await checkServer(url, isPooled);
  const pool = createPool(poolOptions(url, { server, poolSize, timeLimits, isPooled }));
  const orm = await initOrm(url, pool, {
    entities,
    migrations,
    driver: Driver,
    entityManager: EntityManager,
  });
  const turns = new Turns(sharesOf(poolSize));
  // A group works for all callers of its organization.
  const poolOf = (organization: string) =>
    new OwnedPool(pool, turns, { organization, caller: 'group' });
  // A group would hold a version clock over more round trips between the nodes of a cluster.
  const grouping =
    groupCommit && !server.isDistributed ? new GroupCommitByOrganization(poolOf) : undefined;
  pools.set(orm.em.getDriver(), {
    pool,
    turns,
    batch: createBatchLoader(pool),
    groupCommit: grouping,
    isDistributed: server.isDistributed,
  });
  return orm;
}

export interface Connected {
  readonly pool: Pool;
  readonly turns: Turns;
  readonly batch: BatchLoader;
  /** Undefined when it is switched off. */
  readonly groupCommit: GroupCommit | undefined;
  /** Whether the tables are distributed over a Citus cluster (distribution.ts). */
  readonly isDistributed: boolean;
}

/** The pool of each driver, because MikroORM does not expose it. */
const pools = new WeakMap<object, Connected>();

/** What {@link connect} created for an ORM. */
export function connectedTo(em: SqlEntityManager): Connected {
  const connected = pools.get(em.getDriver());
  if (!connected) throw new Error('The entity manager was not created by connect().');
  return connected;
}
