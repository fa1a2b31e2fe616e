/** Clearing out what has expired. */
import type { Logger } from 'pino';
import type { Database } from '../../database/connection.js';
import { isLive } from '../people/sessions.js';

/**
 * Rows that may go, by table. Used codes and refresh tokens stay a day longer, so that a late thief is still noticed; revocations an hour, since a server
 * whose clock is behind takes their tokens for longer than PostgreSQL would.
 */
const expired: Readonly<Record<string, string>> = {
  oauth_artefacts: `expires_at < now() - interval '1 day'`,
  grants: 'expires_at < now()',
  revoked_tokens: `expires_at < now() - interval '1 hour'`,
  signing_keys: 'retires_at < now()',
  idempotency_records: 'expires_at < now()',
  change_listeners: 'expires_at < now()',
  app_secrets: 'expires_at < now()',
  web_sessions: `not (${isLive('web_sessions')})`,
  one_time_links: 'expires_at < now()',
  passkey_challenges: 'expires_at < now()',
  sign_in_attempts: 'expire < extract(epoch from now()) * 1000',
};

/** Rows that one transaction deletes, so that it is soon over. */
const batch = 5000;

/** One process at a time, whichever: the number means only this. */
const lock = 7_240_118;

/**
 * Deletes what has expired, unless another process is doing so.
 * @returns Rows deleted, by table; those of a table that wasn't reached are missing.
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

/** @returns How many rows went, or undefined when another process has the lock. */
const purgeBatch = (db: Database, table: string, condition: string): Promise<number | undefined> =>
  db.transaction(async (tx) => {
    const [{ mine } = { mine: false }] = await tx.query<{ mine: boolean }>('select pg_try_advisory_xact_lock($1) as mine', [lock]);
    if (!mine) return undefined;
    const rows = await tx.query(
      `delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${batch})) returning 1`,
    );
    return rows.length;
  });

const interval = 10 * 60_000;

/** Purges now and then in the background. @returns How to stop; resolves when the one under way has ended. */
export function startPurging(db: Database, log: Logger): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = purgeExpired(db).catch((err: unknown) => log.error({ err }, 'purging what has expired failed'));
  }, interval);
  return () => {
    clearInterval(timer);
    return running.then(() => undefined);
  };
}
