/** Connection pools. */
import pg from 'pg';
import { type Server, startOptions, writeLimit } from './session.js';
import { Client } from './wire/client.js';
import { parsers } from './wire/rows.js';

/** Maximum silence of PostgreSQL in milliseconds: its own limits end any statement earlier. */
export const silenceLimit = writeLimit + 2000;

/**
 * Maximum time in milliseconds that a request waits for a slot in the pool, or for a new
 * connection. Statements take milliseconds, so a longer wait is an overload, and an early error is
 * better than a late response.
 */
export const connectLimit = 3000;

export interface PoolOptions {
  readonly server: Server;
  readonly poolSize: number;
  readonly timeLimits: boolean;
  /** Whether the URL leads through a pooler in transaction mode. */
  readonly isPooled: boolean;
}

/**
 * The options of a `pg` pool.
 * @param url Any URL that libpq accepts, including TLS; its own `options` stay.
 */
export function poolOptions(
  url: string,
  { server, poolSize, timeLimits, isPooled }: PoolOptions,
): pg.PoolConfig {
  const address = new URL(url);
  if (!isPooled) {
    const settings = [address.searchParams.get('options') ?? '', startOptions(server, timeLimits)];
    address.searchParams.set('options', settings.join(' ').trim());
  }
  return {
    connectionString: address.href,
    isPooled,
    max: poolSize,
    connectionTimeoutMillis: connectLimit,
    ...(timeLimits && { silenceLimit }),
    // Sessions are kept for their prepared statements.
    idleTimeoutMillis: 300_000,
    keepAlive: true,
    types: parsers,
    Client,
  } as pg.PoolConfig;
}

/** A pooled connection, to be released. */
export type PoolClient = Client & Pick<pg.PoolClient, 'release'>;
/** A source of connections. */
export interface Connecting {
  connect(): Promise<PoolClient>;
}
export type Pool = Connecting & pg.Pool;

/**
 * A pool that ignores the `error` event of idle connections: the promise of a statement reports the
 * failure.
 */
export function createPool(options: pg.PoolConfig): Pool {
  const ignore = () => {};
  return new pg.Pool(options)
    .on('error', ignore)
    .on('connect', (client) => void client.on('error', ignore)) as Pool;
}

/** The use of a pool's connections. */
export interface Connections {
  readonly used: number;
  readonly idle: number;
  /** Number of requests that wait for one. */
  readonly waiting: number;
  /** Maximum number of connections. */
  readonly most: number;
}

export const connectionsOf = ({
  totalCount,
  idleCount,
  waitingCount,
  options,
}: Pool): Connections => ({
  used: totalCount - idleCount,
  idle: idleCount,
  waiting: waitingCount,
  most: options.max ?? 0,
});
