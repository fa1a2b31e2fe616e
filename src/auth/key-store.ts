/** How signing keys come into the database, and are replaced there. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, generateSecret } from 'jose';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import type { Actor } from '../database/journal.js';
import { recordEvent } from './audit.js';
import { type StoredKey, seal, unseal } from './vault.js';

export type TokenPurpose = 'access_token' | 'id_token';
export type KeyPurpose = TokenPurpose | 'cookie';

const day = 86_400;

/** `verifiesFor`: seconds that a key still verifies after it signed for the last time, at least as long as what it signed is used. */
const purposes: Record<KeyPurpose, { readonly algorithm: string; readonly verifiesFor: number }> = {
  access_token: { algorithm: 'ES256', verifiesFor: 900 },
  // An ID token is shown again at logout (`id_token_hint`), long after it expired.
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

/** Makes a key for the purpose and stores it; it signs when `delay` seconds have passed. @returns Its id. */
async function createKey(tx: Database, config: Config, purpose: KeyPurpose, delay = 0): Promise<string> {
  const { algorithm } = purposes[purpose];
  const options = { extractable: true };
  const key = algorithm === 'HS256' ? await generateSecret(algorithm, options) : (await generateKeyPair(algorithm, options)).privateKey;
  const privateJwk = await exportJWK(key);
  const kid = await calculateJwkThumbprint(privateJwk);
  await tx.query(
    `insert into signing_keys (kid, purpose, algorithm, private_jwk, active_from) values ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
    [kid, purpose, algorithm, JSON.stringify(await seal(config, kid, privateJwk)), delay],
  );
  return kid;
}

/** The table is locked meanwhile, so that of processes that start or rotate at once each sees what the other did. */
const changeKeys = (db: Database, work: (tx: Database) => Promise<void>): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query('lock table signing_keys in share row exclusive mode');
    await work(tx);
  });

/** Those that are not retired: those that sign come first, newest first. */
export const liveKeys = (db: Database): Promise<KeyRow[]> =>
  db.query<KeyRow>(
    `select kid, purpose, algorithm, private_jwk as stored from signing_keys
     where retires_at is null or retires_at > now() order by active_from > now(), active_from desc`,
  );

/** Makes the first key of each purpose. */
export const ensureKeys = (db: Database, config: Config): Promise<void> =>
  changeKeys(db, async (tx) => {
    const rows = await tx.query<{ purpose: KeyPurpose }>('select distinct purpose from signing_keys where retires_at is null');
    const present = new Set(rows.map(({ purpose }) => purpose));
    for (const purpose of allPurposes) if (!present.has(purpose)) await createKey(tx, config, purpose);
  });

/**
 * Replaces the key of each purpose. The new ones are published at once, sign when `overlap` seconds have passed, and the old ones verify until
 * nothing that they signed is in use any more. Those are sealed anew, as the configuration says by now.
 * @param overlap Longer than clients cache the JWKS, or they meet signatures by a key that they don't know yet.
 */
export const rotateKeys = (db: Database, config: Config, actor: Actor, overlap: number): Promise<void> =>
  changeKeys(db, async (tx) => {
    for (const { kid, stored } of await liveKeys(tx)) {
      const sealed = await seal(config, kid, await unseal(config, kid, stored));
      await tx.query('update signing_keys set private_jwk = $2 where kid = $1', [kid, JSON.stringify(sealed)]);
    }
    for (const purpose of allPurposes) {
      const retired = await tx.query<{ kid: string }>(
        `update signing_keys set retires_at = now() + $2 * interval '1 second' where purpose = $1 and retires_at is null returning kid`,
        [purpose, overlap + purposes[purpose].verifiesFor],
      );
      const kid = await createKey(tx, config, purpose, overlap);
      const changes = { purpose: [null, purpose], kid: [retired[0]?.kid ?? null, kid] } as const;
      await recordEvent(tx, actor, { action: 'rotate', subjectType: 'SigningKey', subjectId: kid, changes });
    }
  });
