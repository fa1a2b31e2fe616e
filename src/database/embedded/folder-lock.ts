/**
 * The lock of a data folder: one process at a time creates and runs the cluster in it. The system
 * releases the lock when the process ends, however it dies, and it holds across containers that
 * share the folder, where process ids mean nothing. SQLite is Node's way to such a lock.
 */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { alreadyRunning } from './failure.js';

/** Milliseconds for the previous process to end. */
const timeout = 500;

/** SQLite's code for a lock that another process holds. */
const busy = 5;

/**
 * @returns A function that releases the lock.
 * @throws {StartError} when another process holds it.
 */
export function lockFolder(directory: string): () => void {
  const path = join(directory, 'lock');
  // Reports missing rights with Node's error codes.
  closeSync(openSync(path, 'a', 0o600));
  const file = new DatabaseSync(path, { timeout });
  try {
    file.exec('begin exclusive');
  } catch (error) {
    file.close();
    throw (error as { errcode?: number }).errcode === busy ? alreadyRunning(directory) : error;
  }
  return () => file.close();
}
