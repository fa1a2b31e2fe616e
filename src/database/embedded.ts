/**
 * A real PostgreSQL from npm, for machines without one: started with Lanyard and stopped after it.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import {
  createCluster,
  type LaunchOptions,
  launch,
  layout,
  makeFolder,
  urlOf,
} from './embedded/cluster.js';
import { alreadyRunning, withFiles } from './embedded/failure.js';
import { lockFolder } from './embedded/folder-lock.js';
import { portOf, shutDown } from './embedded/postmaster.js';

export interface Embedded {
  /** The database `lanyard`, as its owner. */
  readonly url: string;
  /**
   * Keeps it running: after a crash it is restarted at the same address.
   * @param died Called after each crash.
   * @returns Never resolves; rejects when a restart fails.
   */
  keep(died: () => void): Promise<never>;
  /** Ends every connection, and resolves when PostgreSQL has stopped. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL of a directory, and creates both if missing. One process owns it at a time:
 * the one that holds the lock of the directory, and of the server, which a former release may run
 * there. Ownership ends with the process, however it dies. A server that such a process left behind
 * is taken over while it runs.
 * @throws {StartError} when another process owns it, the system denies access, or it does not start
 * (with its output).
 */
export const startEmbedded = (directory: string, options: LaunchOptions = {}): Promise<Embedded> =>
  withFiles(directory, () => start(directory, options));

async function start(directory: string, options: LaunchOptions): Promise<Embedded> {
  makeFolder(directory);
  const unlock = lockFolder(directory);
  try {
    return await startLocked(directory, options, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function startLocked(
  directory: string,
  options: LaunchOptions,
  unlock: () => void,
): Promise<Embedded> {
  await createCluster(directory, options);
  const { cluster, log } = layout(directory);
  const open = async (port = options.port): Promise<pg.Client> => {
    if (!(await portOf(cluster)))
      await launch(directory, port === undefined ? options : { ...options, port });
    return own(directory);
  };
  let owner = await open();
  const url = await urlOf(directory, 'lanyard');
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await owner.end();
    await shutDown(cluster);
    unlock();
  };
  return {
    url,
    async keep(died) {
      for (;;) {
        await ended(owner);
        // A stop also ends the connection.
        if (stopped) return new Promise<never>(() => {});
        // A restart begins a new log.
        if (existsSync(log)) copyFileSync(log, `${log}.previous`);
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

/** Resolves when the connection is gone, and with it the server or our lock on it. */
const ended = (client: pg.Client): Promise<void> =>
  new Promise((resolve) => client.once('end', resolve));

/**
 * Milliseconds after which processes of a killed server have ended. Until then they prevent a
 * start.
 */
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

/**
 * The URL of the PostgreSQL that another process runs in the directory; undefined when none does.
 */
export const attachEmbedded = (directory: string): Promise<string | undefined> =>
  withFiles(directory, async () => {
    const isRunning = existsSync(directory) && (await portOf(layout(directory).cluster));
    return isRunning ? urlOf(directory, 'lanyard') : undefined;
  });

/** An advisory lock key that nothing else uses. */
const lock = 7_526_939;

/** @returns The connection that holds the lock, and with it the ownership of the server. */
async function own(directory: string): Promise<pg.Client> {
  const client = new pg.Client(await urlOf(directory, 'postgres'));
  // It only holds the lock. Users of the server notice its loss on their own connections.
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
    throw isTaken ? alreadyRunning(directory) : error;
  }
}
