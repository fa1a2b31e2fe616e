/** SQL about signing keys that MikroORM's builder cannot express: a table lock, and an order. */
import type { EntityManager } from '../database/entity-manager.js';
import type { StoredKey } from './key-encryption.js';

export type TokenPurpose = 'access_token' | 'id_token';
export type KeyPurpose = TokenPurpose | 'cookie';

export interface KeyRow {
  readonly kid: string;
  readonly purpose: KeyPurpose;
  readonly algorithm: string;
  readonly stored: StoredKey;
}

/** Locks the table against other changes, not against reads. */
export async function lockKeys(em: EntityManager): Promise<void> {
  await em.query('lock table signing_keys in share row exclusive mode');
}

/** The keys that are not retired: signing keys first, newest first. */
export const liveKeys = (em: EntityManager): Promise<KeyRow[]> =>
  em.query<KeyRow>(
    `select kid, purpose, algorithm, private_jwk as stored from signing_keys
     where retires_at is null or retires_at > now() order by active_from > now(), active_from desc`,
  );
