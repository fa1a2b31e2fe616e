/** What an operator does now and then to keep the service in order. */
import { rotateKeys } from '../auth/key-store.js';
import { purgeExpired } from '../auth/oauth/purge.js';
import { metadataMaxAge } from '../auth/oauth/server.js';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import { operator } from './people.js';
import { UsageError } from './usage.js';

const usualOverlap = 3600;
/** Twice what clients may cache: there are caches between them and us. */
const leastOverlap = 2 * metadataMaxAge;

/** @param overlap Seconds, as typed. @throws {UsageError} when it is no number, or too short for clients to learn of the new keys. */
export async function rotateSigningKeys(db: Database, config: Config, overlap = String(usualOverlap)): Promise<string> {
  const seconds = /^\d{1,7}$/.test(overlap) ? Number(overlap) : 0;
  if (seconds < leastOverlap)
    throw new UsageError(`--overlap takes whole seconds, ${leastOverlap} at least: until then clients may not know the new keys.`);
  await rotateKeys(db, config, operator, seconds);
  return `The new keys are published now and sign from ${new Date(Date.now() + seconds * 1000).toISOString()} on; tokens signed before stay valid until they expire.\n`;
}

export async function purge(db: Database): Promise<string> {
  const purged = await purgeExpired(db);
  const lines = Object.entries(purged).map(([table, count]) => `  ${table}: ${count}`);
  return lines.length > 0 ? `Deleted what had expired:\n${lines.join('\n')}\n` : 'Another process is purging just now.\n';
}
