/** Maintenance functions of the operator. */
import { rotateKeys } from '../../auth/key-store.js';
import { purgeExpired } from '../../auth/oauth/purge.js';
import { metadataMaxAge } from '../../auth/oauth/server.js';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { type CommandOutput, list } from '../output/command-output.js';
import { UsageError } from '../usage.js';
import { operator } from './people.js';

const usualOverlap = 3600;
/** Twice the time that clients may cache, because of intermediate caches. */
const leastOverlap = 2 * metadataMaxAge;

/**
 * @param overlap Seconds, as entered.
 * @throws {UsageError} when it is not a number, or too short for clients to learn of the new keys.
 */
export async function rotateSigningKeys(
  db: Database,
  config: Config,
  overlap = String(usualOverlap),
): Promise<CommandOutput> {
  const seconds = /^\d{1,7}$/.test(overlap) ? Number(overlap) : 0;
  if (seconds < leastOverlap)
    throw new UsageError(
      `--overlap takes whole seconds, at least ${leastOverlap}: clients may need that long to learn the new keys.`,
    );
  await rotateKeys(db, config, operator, seconds);
  const signsFrom = new Date(Date.now() + seconds * 1000).toISOString();
  return {
    text: `The new keys are published now and sign from ${signsFrom} on; tokens signed before stay valid until they expire.\n`,
    json: { signs_from: signsFrom },
  };
}

interface ListedKey {
  readonly kid: string;
  readonly purpose: string;
  readonly algorithm: string;
  readonly state: 'waiting' | 'signing' | 'verifying' | 'retired';
  readonly is_encrypted: boolean;
  readonly signs_from: string;
  /** When it stops verifying; null without a successor. */
  readonly retires_at: string | null;
}

export async function listSigningKeys(db: Database): Promise<CommandOutput> {
  const keys = await db.query<ListedKey>(
    `select kid, purpose, algorithm,
       case when retires_at <= now() then 'retired' when active_from > now() then 'waiting'
         when active_from = max(active_from) filter (where active_from <= now() and (retires_at is null or retires_at > now())) over (partition by purpose)
         then 'signing' else 'verifying' end as state,
       private_jwk ? 'jwe' as is_encrypted, active_from as signs_from, retires_at
     from signing_keys order by purpose, active_from desc`,
  );
  return list('keys', keys, {
    PURPOSE: ({ purpose }) => purpose,
    STATE: ({ state }) => state,
    ALGORITHM: ({ algorithm }) => algorithm,
    ENCRYPTED: ({ is_encrypted }) => (is_encrypted ? 'yes' : 'no'),
    'SIGNS FROM': ({ signs_from }) => signs_from.slice(0, 16),
    'RETIRES AT': ({ retires_at }) => retires_at?.slice(0, 16) ?? null,
    KEY_ID: ({ kid }) => kid,
  });
}

export async function purge(db: Database): Promise<CommandOutput> {
  const purged = Object.entries(await purgeExpired(db)).map(([table, rows]) => ({ table, rows }));
  const lines = purged.map(({ table, rows }) => `  ${table}: ${rows}\n`);
  return {
    text:
      lines.length > 0
        ? `Deleted expired data:\n${lines.join('')}`
        : 'Another process is already purging.\n',
    json: { purged },
  };
}
