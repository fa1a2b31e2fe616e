/** Creates and rotates signing keys in the database. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, generateSecret } from 'jose';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import { type EntityManager, sql } from '../database/entity-manager.js';
import type { Actor } from '../database/record-changes.js';
import { SigningKey } from '../entities/app.js';
import { recordEvent } from './audit.js';
import { seal, unseal } from './key-encryption.js';
import { type KeyPurpose, liveKeys, lockKeys } from './key-statements.js';

export type { KeyPurpose, KeyRow, TokenPurpose } from './key-statements.js';
export { liveKeys } from './key-statements.js';

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

/** Creates and stores a key, which signs after `delay` seconds. @returns Its id. */
async function createKey(
  em: EntityManager,
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
  await em.insert(SigningKey, {
    kid,
    purpose,
    algorithm,
    privateJwk: await seal(config, kid, privateJwk),
    activeFrom: sql`now() + ${delay} * interval '1 second'`,
  });
  return kid;
}

/** Locks the table, so that concurrent starts and rotations see each other's keys. */
const changeKeys = (db: Database, work: (em: EntityManager) => Promise<void>): Promise<void> =>
  db.em.transactional(async (em) => {
    await lockKeys(em);
    await work(em);
  });

/** Creates the first key of each purpose. */
export const ensureKeys = (db: Database, config: Config): Promise<void> =>
  changeKeys(db, async (em) => {
    const keys = await em.find(SigningKey, { retiresAt: null });
    const present = new Set(keys.map(({ purpose }) => purpose));
    for (const purpose of allPurposes)
      if (!present.has(purpose)) await createKey(em, config, purpose);
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
  changeKeys(db, async (em) => {
    for (const { kid, stored } of await liveKeys(em)) {
      const sealed = await seal(config, kid, await unseal(config, kid, stored));
      await em.nativeUpdate(SigningKey, { kid }, { privateJwk: sealed });
    }
    for (const purpose of allPurposes) {
      const seconds = overlap + purposes[purpose].verifiesFor;
      const retired = await em
        .createQueryBuilder(SigningKey)
        .update({ retiresAt: sql`now() + ${seconds} * interval '1 second'` })
        .where({ purpose, retiresAt: null })
        .returning('kid')
        .execute('all');
      const kid = await createKey(em, config, purpose, overlap);
      const changes = { purpose: [null, purpose], kid: [retired[0]?.kid ?? null, kid] } as const;
      await recordEvent(em, actor, {
        action: 'rotate',
        subjectType: 'SigningKey',
        subjectId: kid,
        changes,
      });
    }
  });
