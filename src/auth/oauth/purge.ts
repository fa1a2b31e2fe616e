/** Purges expired rows. */
import type { Logger } from 'pino';
import type { Database } from '../../database/connection.js';
import { settleDue } from '../accounts/memberships.js';
import { isLive } from '../accounts/sessions.js';

/**
 * Conditions for expired rows, by table. Used codes and refresh tokens stay for another day, so
 * that a late replay is still detected; rows that anyone can create without authentication, such as
 * sign-ins, do not. Revocations stay for another hour, because a server with a slow clock accepts
 * their tokens for longer than PostgreSQL would.
 */
const expired: Readonly<Record<string, string>> = {
  oauth_artefacts: `expires_at < now() - case when consumed_at is null then interval '0' else interval '1 day' end`,
  grants: 'expires_at < now()',
  revoked_tokens: `expires_at < now() - interval '1 hour'`,
  signing_keys: 'retires_at < now()',
  idempotency_records: 'expires_at < now()',
  change_listeners: 'expires_at < now()',
  app_secrets: 'expires_at < now()',
  web_sessions: `not (${isLive('web_sessions')})`,
  one_time_links: 'expires_at < now()',
  invitations: 'expires_at < now()',
  passkey_challenges: 'expires_at < now()',
  sign_in_attempts: 'expire < extract(epoch from now()) * 1000',
};

/** Rows that one transaction deletes, so that transactions stay short. */
const batch = 5000;

/** The advisory lock key that limits purging to one process. */
const lock = 7_240_118;

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

/** @returns The number of deleted rows, or undefined when another process has the lock. */
const purgeBatch = (db: Database, table: string, condition: string): Promise<number | undefined> =>
  db.transaction(async (tx) => {
    const [{ mine } = { mine: false }] = await tx.query<{ mine: boolean }>(
      'select pg_try_advisory_xact_lock($1) as mine',
      [lock],
    );
    if (!mine) return undefined;
    const rows = await tx.query(
      `delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${batch})) returning 1`,
    );
    return rows.length;
  });

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
