/** A real PostgreSQL from npm, for who has none: started with Lanyard and stopped after it. */
import { resolve } from 'node:path';
import pg from 'pg';
import { createCluster, type LaunchOptions, launch, passwordOf, portOf, shutDown } from './cluster.js';

export interface Embedded {
  /** The database `lanyard`, for its owner. */
  readonly url: string;
  /** Ends every connection and resolves when PostgreSQL is gone. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of a directory, and makes it first where there is none. One process owns it at a time: the one whose connection holds a lock in
 * it, so that an owner who dies, however it dies, owns no more. A server left behind so is taken over as it runs.
 * @throws when another process owns it, or when it doesn't start (with what it said).
 */
export async function startEmbedded(directory: string, options: LaunchOptions = {}): Promise<Embedded> {
  const home = resolve(directory);
  await createCluster(home, options.durable ?? true);
  if (!(await portOf(home))) await launch(home, options);
  const owner = await own(home);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await owner.end();
    await shutDown(home);
  };
  return {
    url: await urlOf(home, 'lanyard'),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** The URL of the PostgreSQL that another process runs in the directory; undefined when none does. */
export async function attachEmbedded(directory: string): Promise<string | undefined> {
  const home = resolve(directory);
  return (await portOf(home)) ? urlOf(home, 'lanyard') : undefined;
}

async function urlOf(home: string, database: string): Promise<string> {
  return `postgresql://lanyard:${passwordOf(home)}@127.0.0.1:${await portOf(home)}/${database}`;
}

/** Any number that nothing else locks. */
const lock = 7_526_939;

/** @returns The connection that holds the lock, and with it the server. */
async function own(home: string): Promise<pg.Client> {
  const client = new pg.Client(await urlOf(home, 'postgres'));
  // It only holds the lock: whoever works with the server notices by itself when that is gone.
  client.on('error', () => {});
  await client.connect();
  try {
    // Long enough for PostgreSQL to notice that the last owner died.
    await client.query(`set lock_timeout = '500ms'`);
    await client.query(`select pg_advisory_lock(${lock})`);
    const { rowCount } = await client.query(`select from pg_database where datname = 'lanyard'`);
    if (rowCount === 0) await client.query('create database lanyard');
    return client;
  } catch (error) {
    await client.end();
    const isTaken = error instanceof pg.DatabaseError && error.code === '55P03';
    throw isTaken
      ? new Error(`Lanyard runs already on ${home}: stop that one, or give this one another DATA_DIR or a DATABASE_URL`)
      : error;
  }
}
