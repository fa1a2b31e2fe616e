/** A real PostgreSQL from npm, for who has none: started with Lanyard and stopped after it. */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createCluster, type LaunchOptions, launch, layout } from './embedded/cluster.js';
import { portOf, shutDown } from './embedded/postmaster.js';

export interface Embedded {
  /** The database `lanyard`, for its owner. */
  readonly url: string;
  /**
   * Keeps it running: when it dies, it is started again at the same address.
   * @param died Told of each death.
   * @returns Never resolves; rejects when it can't be started again.
   */
  keep(died: () => void): Promise<never>;
  /** Ends every connection and resolves when PostgreSQL is gone. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of a directory, and makes both first where there are none. One process owns it at a time: the one whose connection holds a lock in
 * it, so that an owner who dies, however it dies, owns no more. A server left behind so is taken over as it runs.
 * @throws when another process owns it, or when it doesn't start (with what it said).
 */
export async function startEmbedded(directory: string, options: LaunchOptions = {}): Promise<Embedded> {
  await createCluster(directory, options);
  const { cluster, log } = layout(directory);
  const open = async (port = options.port): Promise<pg.Client> => {
    if (!(await portOf(cluster))) await launch(directory, port === undefined ? options : { ...options, port });
    return own(directory);
  };
  let owner = await open();
  const url = await urlOf(directory, 'lanyard');
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await owner.end();
    await shutDown(cluster);
  };
  return {
    url,
    async keep(died) {
      for (;;) {
        await ended(owner);
        // Stopping ends it as well.
        if (stopped) return new Promise<never>(() => {});
        // A new start begins a new log.
        copyFileSync(log, `${log}.previous`);
        died();
        owner = await persist(() => open(Number(new URL(url).port)));
        if (stopped) await stop();
      }
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Until the connection is gone: with it the server, or the server's hold on it. */
const ended = (client: pg.Client): Promise<void> => new Promise((resolve) => client.once('end', resolve));

/** Milliseconds in which what a killed server left running, and keeps the next one out, has ended. */
const lingering = 5000;

async function persist<T>(start: () => Promise<T>): Promise<T> {
  for (const began = performance.now(); ; ) {
    try {
      return await start();
    } catch (error) {
      if (performance.now() - began > lingering) throw error;
      await delay(250);
    }
  }
}

/** The URL of the PostgreSQL that another process runs in the directory; undefined when none does. */
export async function attachEmbedded(directory: string): Promise<string | undefined> {
  const isRunning = existsSync(directory) && (await portOf(layout(directory).cluster));
  return isRunning ? urlOf(directory, 'lanyard') : undefined;
}

async function urlOf(directory: string, database: string): Promise<string> {
  const { cluster, password } = layout(directory);
  return `postgresql://lanyard:${readFileSync(password, 'utf8')}@127.0.0.1:${await portOf(cluster)}/${database}`;
}

/** Any number that nothing else locks. */
const lock = 7_526_939;

/** @returns The connection that holds the lock, and with it the server. */
async function own(directory: string): Promise<pg.Client> {
  const client = new pg.Client(await urlOf(directory, 'postgres'));
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
      ? new Error(`Lanyard is already running on ${directory}: stop that one, or give this one another DATA_DIR or a DATABASE_URL`)
      : error;
  }
}
