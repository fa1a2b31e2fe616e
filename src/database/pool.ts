/** The connections that Lanyard has to PostgreSQL. */
import DataLoader from 'dataloader';
import pg from 'pg';
import { Client, type Sql } from './client.js';
import { parsers } from './rows.js';
import { startOptions, writeLimit } from './session.js';

/** Milliseconds that PostgreSQL may be silent: by then its own limits have ended whatever it was asked for. */
export const silenceLimit = writeLimit + 2000;

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

export type Finder = DataLoader<Sql, object[]>;

/** So many that what they save is saved, so few that the last doesn't wait for long. */
const mostTogether = 16;

/** Reads short statements, those of one turn of the event loop on one connection. */
export const createFinder = (pool: Pool): Finder =>
  new DataLoader(
    async (all) => {
      const client = await pool.connect();
      try {
        return await client.recordsOfEach(all);
      } finally {
        client.release();
      }
    },
    { cache: false, maxBatchSize: mostTogether },
  );

/** How the connections of a pool are used. */
export interface Connections {
  readonly used: number;
  readonly idle: number;
  /** Who waits for one. */
  readonly waiting: number;
  /** What it holds at the most. */
  readonly most: number;
}

export const connectionsOf = ({ totalCount, idleCount, waitingCount, options }: Pool): Connections => ({
  used: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
  most: options.max ?? 0,
});
