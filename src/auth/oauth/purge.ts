/** Purges expired rows. */
import type { Logger } from 'pino';
import type { Database } from '../../database/connection.js';
import { settleDue } from '../accounts/memberships.js';
import { batch, expired, purgeBatch } from './purge-statements.js';

/**
 * Deletes expired rows, unless another process is doing so.
 * @returns The number of deleted rows by table; tables that were not reached are missing.
 */
export async function purgeExpired(db: Database): Promise<Record<string, number>> {
  const purged: Record<string, number> = {};
  for (const [table, condition] of Object.entries(expired)) {
    for (;;) {
      const count = await purgeBatch(db, table, condition);
      if (count === undefined) return purged;
      purged[table] = (purged[table] ?? 0) + count;
      if (count < batch) break;
    }
  }
  return purged;
}

const interval = 10 * 60_000;

/**
 * Purges periodically in the background.
 * @returns A function that stops it, and resolves when the current run has ended.
 */
export function startPurging(db: Database, log: Logger): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    const failed = (what: string) => (err: unknown) => log.error({ err }, what);
    running = purgeExpired(db)
      .catch(failed('purging what has expired failed'))
      .then(() => settleDue(db, failed('a membership could not be settled')))
      .catch(failed('memberships could not be settled'));
  }, interval);
  return () => {
    clearInterval(timer);
    return running.then(() => undefined);
  };
}
