/** Creates and rotates signing keys in the database. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, generateSecret } from 'jose';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import type { Actor } from '../database/record-changes.js';
import { recordEvent } from './audit.js';
import { type StoredKey, seal, unseal } from './key-encryption.js';

export type TokenPurpose = 'access_token' | 'id_token';
export type KeyPurpose = TokenPurpose | 'cookie';

const day = 86_400;

/**
 * `verifiesFor`: seconds that a key verifies after its last signature; at least the lifetime of
 * what it signed.
 */
const purposes: Record<KeyPurpose, { readonly algorithm: string; readonly verifiesFor: number }> = {
  access_token: { algorithm: 'ES256', verifiesFor: 900 },
  // An ID token is sent again at logout (`id_token_hint`), long after it expired.
  id_token: { algorithm: 'RS256', verifiesFor: 30 * day },
  cookie: { algorithm: 'HS256', verifiesFor: 7 * day },
};
const allPurposes = Object.keys(purposes) as KeyPurpose[];

export interface KeyRow {
  readonly kid: string;
  readonly purpose: KeyPurpose;
  readonly algorithm: string;
  readonly stored: StoredKey;
}

/** Creates and stores a key, which signs after `delay` seconds. @returns Its id. */
async function createKey(
  tx: Database,
  config: Config,
  purpose: KeyPurpose,
  delay = 0,
): Promise<string> {
  const { algorithm } = purposes[purpose];
  const options = { extractable: true };
  const key =
    algorithm === 'HS256'
      ? await generateSecret(algorithm, options)
      : (await generateKeyPair(algorithm, options)).privateKey;
  const privateJwk = await exportJWK(key);
  const kid = await calculateJwkThumbprint(privateJwk);
  await tx.query(
    `insert into signing_keys (kid, purpose, algorithm, private_jwk, active_from) values ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
    [kid, purpose, algorithm, JSON.stringify(await seal(config, kid, privateJwk)), delay],
  );
  return kid;
}

/** Locks the table, so that concurrent starts and rotations see each other's keys. */
const changeKeys = (db: Database, work: (tx: Database) => Promise<void>): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query('lock table signing_keys in share row exclusive mode');
    await work(tx);
  });

/** The keys that are not retired: signing keys first, newest first. */
export const liveKeys = (db: Database): Promise<KeyRow[]> =>
  db.query<KeyRow>(
    `select kid, purpose, algorithm, private_jwk as stored from signing_keys
     where retires_at is null or retires_at > now() order by active_from > now(), active_from desc`,
  );

/** Creates the first key of each purpose. */
export const ensureKeys = (db: Database, config: Config): Promise<void> =>
  changeKeys(db, async (tx) => {
    const rows = await tx.query<{ purpose: KeyPurpose }>(
      'select distinct purpose from signing_keys where retires_at is null',
    );
    const present = new Set(rows.map(({ purpose }) => purpose));
    for (const purpose of allPurposes)
      if (!present.has(purpose)) await createKey(tx, config, purpose);
  });

/**
 * Replaces the key of each purpose. New keys are published immediately and sign after `overlap`
 * seconds; old ones verify until everything that they signed has expired, and are encrypted again
 * with the current secret.
 * @param overlap Longer than clients cache the JWKS, so that they know a key before its first
 * signature.
 */
export const rotateKeys = (
  db: Database,
  config: Config,
  actor: Actor,
  overlap: number,
): Promise<void> =>
  changeKeys(db, async (tx) => {
    for (const { kid, stored } of await liveKeys(tx)) {
      const sealed = await seal(config, kid, await unseal(config, kid, stored));
      await tx.query('update signing_keys set private_jwk = $2 where kid = $1', [
        kid,
        JSON.stringify(sealed),
      ]);
    }
    for (const purpose of allPurposes) {
      const retired = await tx.query<{ kid: string }>(
        `update signing_keys set retires_at = now() + $2 * interval '1 second' where purpose = $1 and retires_at is null returning kid`,
        [purpose, overlap + purposes[purpose].verifiesFor],
      );
      const kid = await createKey(tx, config, purpose, overlap);
      const changes = { purpose: [null, purpose], kid: [retired[0]?.kid ?? null, kid] } as const;
      await recordEvent(tx, actor, {
        action: 'rotate',
        subjectType: 'SigningKey',
        subjectId: kid,
        changes,
      });
    }
  });
