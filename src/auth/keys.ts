/** Signing keys: kept in the database, so that every process signs and verifies with the same. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import type { Database } from '../database/connection.js';

export type KeyPurpose = 'access_token' | 'id_token';

const algorithms: Record<KeyPurpose, string> = { access_token: 'ES256', id_token: 'RS256' };

export interface SigningKey {
  readonly kid: string;
  readonly purpose: KeyPurpose;
  readonly algorithm: string;
  readonly privateJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
}

const privateParts = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi']);

async function importKey(row: { kid: string; purpose: KeyPurpose; algorithm: string; privateJwk: JWK }): Promise<SigningKey> {
  const { kid, algorithm, privateJwk } = row;
  const shown = Object.fromEntries(Object.entries(privateJwk).filter(([part]) => !privateParts.has(part))) as JWK;
  const publicJwk: JWK = { ...shown, kid, alg: algorithm, use: 'sig' };
  const [privateKey, publicKey] = await Promise.all([importJWK(privateJwk, algorithm), importJWK(publicJwk, algorithm)]);
  return { ...row, privateKey: privateKey as CryptoKey, publicKey: publicKey as CryptoKey, publicJwk };
}

/** Makes a key for the purpose and stores it; it signs from `activeFrom` on. */
export async function createKey(db: Database, purpose: KeyPurpose, activeFrom = new Date()): Promise<string> {
  const algorithm = algorithms[purpose];
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const privateJwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(privateJwk);
  await db.query(`insert into signing_keys (kid, purpose, algorithm, private_jwk, active_from) values ($1, $2, $3, $4, $5)`, [
    kid,
    purpose,
    algorithm,
    JSON.stringify(privateJwk),
    activeFrom.toISOString(),
  ]);
  return kid;
}

/** Makes the first key of each purpose. Processes that start at once agree on one, because the table is locked meanwhile. */
export const ensureKeys = (db: Database): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query('lock table signing_keys in share row exclusive mode');
    const rows = await tx.query<{ purpose: KeyPurpose }>('select distinct purpose from signing_keys where retires_at is null');
    const present = new Set(rows.map(({ purpose }) => purpose));
    for (const purpose of Object.keys(algorithms) as KeyPurpose[]) if (!present.has(purpose)) await createKey(tx, purpose);
  });

/** The least time between two reloads that unknown key ids ask for, in milliseconds: made-up ids must not become load. */
const reloadInterval = 1000;

/** The keys that are not retired, newest first, read once and again when a token names one that is not known yet. */
export class KeyRing {
  private keys: readonly SigningKey[] = [];
  private loadedAt = 0;

  constructor(private readonly db: Database) {}

  async reload(): Promise<void> {
    const rows = await this.db.query<{ kid: string; purpose: KeyPurpose; algorithm: string; privateJwk: JWK }>(
      `select kid, purpose, algorithm, private_jwk as "privateJwk" from signing_keys
       where retires_at is null or retires_at > now() order by active_from > now(), active_from desc`,
    );
    this.keys = await Promise.all(rows.map(importKey));
    this.loadedAt = Date.now();
  }

  /** The public key of an id, or undefined when no such key verifies (any more). */
  async find(kid: string, purpose: KeyPurpose): Promise<SigningKey | undefined> {
    const known = () => this.keys.find((key) => key.kid === kid && key.purpose === purpose);
    if (!known() && Date.now() - this.loadedAt > reloadInterval) await this.reload();
    return known();
  }

  /** All keys, those that sign first. */
  all(): readonly SigningKey[] {
    return this.keys;
  }

  /** The key that signs now. */
  signer(purpose: KeyPurpose): SigningKey {
    const key = this.keys.find((candidate) => candidate.purpose === purpose);
    if (!key) throw new Error(`There is no signing key for ${purpose}.`);
    return key;
  }
}
