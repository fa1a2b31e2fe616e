/**
 * For tests that need a PostgreSQL of their own, to kill it or to give it a standby: copies of one
 * that has the demo data and is stopped.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../src/database/embedded.js';
import { prepareTemplate } from './template.js';

/**
 * What acknowledges a commit once it is in the log, and writes nothing through to the disk: the
 * system outlives what a test kills.
 */
export const settings: Readonly<Record<string, string | number>> = {
  fsync: 'off',
  full_page_writes: 'off',
};

function runDirectory(): string {
  const directory = process.env.LANYARD_TEST_DIRECTORY;
  if (!directory) throw new Error('No directory for tests: run them with "npm test"');
  return directory;
}

/** Makes a directory for a PostgreSQL: in memory, where the run keeps its databases there. */
export function makeDirectory(name: string): string {
  const directory = mkdtempSync(join(runDirectory(), `${name}-`));
  // Where we are root, PostgreSQL is somebody else.
  chmodSync(directory, 0o755);
  return directory;
}

/** Puts a copy, whose database is `lanyard`, into a directory that is empty. */
export async function copySeed(directory: string): Promise<void> {
  execFileSync('cp', ['-a', `${await seed()}/.`, directory]);
}

/** @returns The directory of the one that is copied: made once in a run, by the first who asks. */
async function seed(): Promise<string> {
  const place = join(runDirectory(), 'seed');
  if (existsSync(place)) return place;
  const made = makeDirectory('seed');
  const embedded = await startEmbedded(made, { durable: false });
  await prepareTemplate(embedded.url);
  await rename(embedded.url);
  await embedded.stop();
  try {
    renameSync(made, place);
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    rmSync(made, { recursive: true });
  }
  return place;
}

async function rename(url: string): Promise<void> {
  const client = new pg.Client(Object.assign(new URL(url), { pathname: '/postgres' }).href);
  await client.connect();
  await client.query('drop database lanyard');
  await client.query('alter database lanyard_template rename to lanyard');
  await client.end();
}
