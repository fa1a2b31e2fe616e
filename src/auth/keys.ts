/** Signing keys: kept in the database, so that every process signs and verifies with the same, and follows a rotation without a restart. */
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, generateSecret, importJWK, type JWK } from 'jose';
import type { Database } from '../database/connection.js';

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

export interface SigningKey {
  readonly kid: string;
  readonly purpose: TokenPurpose;
  readonly algorithm: string;
  readonly privateJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
}

interface KeyRow {
  readonly kid: string;
  readonly purpose: KeyPurpose;
  readonly algorithm: string;
  readonly privateJwk: JWK;
}

const privateParts = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi']);

async function importKey({ kid, algorithm, purpose, privateJwk }: KeyRow & { purpose: TokenPurpose }): Promise<SigningKey> {
  const about = { kid, alg: algorithm, use: 'sig' };
  const shown = Object.fromEntries(Object.entries(privateJwk).filter(([part]) => !privateParts.has(part))) as JWK;
  const publicJwk: JWK = { ...shown, ...about };
  const [privateKey, publicKey] = await Promise.all([importJWK(privateJwk, algorithm), importJWK(publicJwk, algorithm)]);
  return {
    kid,
    purpose,
    algorithm,
    privateJwk: { ...privateJwk, ...about },
    privateKey: privateKey as CryptoKey,
    publicKey: publicKey as CryptoKey,
    publicJwk,
  };
}

const isTokenKey = (row: KeyRow): row is KeyRow & { purpose: TokenPurpose } => row.purpose !== 'cookie';

/** Makes a key for the purpose and stores it; it signs when `delay` seconds have passed. */
async function createKey(tx: Database, purpose: KeyPurpose, delay = 0): Promise<void> {
  const { algorithm } = purposes[purpose];
  const options = { extractable: true };
  const key = algorithm === 'HS256' ? await generateSecret(algorithm, options) : (await generateKeyPair(algorithm, options)).privateKey;
  const privateJwk = await exportJWK(key);
  await tx.query(
    `insert into signing_keys (kid, purpose, algorithm, private_jwk, active_from) values ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
    [await calculateJwkThumbprint(privateJwk), purpose, algorithm, JSON.stringify(privateJwk), delay],
  );
}

/** The table is locked meanwhile, so that of processes that start or rotate at once each sees what the other did. */
const changeKeys = (db: Database, work: (tx: Database) => Promise<void>): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.query('lock table signing_keys in share row exclusive mode');
    await work(tx);
  });

/** Makes the first key of each purpose. */
export const ensureKeys = (db: Database): Promise<void> =>
  changeKeys(db, async (tx) => {
    const rows = await tx.query<{ purpose: KeyPurpose }>('select distinct purpose from signing_keys where retires_at is null');
    const present = new Set(rows.map(({ purpose }) => purpose));
    for (const purpose of allPurposes) if (!present.has(purpose)) await createKey(tx, purpose);
  });

/**
 * Replaces the key of each purpose. The new ones are published at once, sign when `overlap` seconds have passed, and the old ones verify until
 * nothing that they signed is in use any more.
 * @param overlap Longer than clients cache the JWKS, or they meet signatures by a key that they don't know yet.
 */
export const rotateKeys = (db: Database, overlap: number): Promise<void> =>
  changeKeys(db, async (tx) => {
    for (const purpose of allPurposes) {
      await tx.query(`update signing_keys set retires_at = now() + $2 * interval '1 second' where purpose = $1 and retires_at is null`, [
        purpose,
        overlap + purposes[purpose].verifiesFor,
      ]);
      await createKey(tx, purpose, overlap);
    }
  });

/** Seconds between two looks for new keys. */
export const pollInterval = 5;

/** The least time between two reloads that unknown key ids ask for, in milliseconds: made-up ids must not become load. */
const reloadInterval = 1000;

/** The keys that are not retired, read again every few seconds, and when a token names one that is not known yet. */
export class KeyRing {
  private keys: readonly SigningKey[] = [];
  private cookies: readonly string[] = [];
  private loadedAt = 0;
  private order = '';
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly db: Database) {}

  async reload(): Promise<void> {
    const rows = await this.db.query<KeyRow>(
      `select kid, purpose, algorithm, private_jwk as "privateJwk" from signing_keys
       where retires_at is null or retires_at > now() order by active_from > now(), active_from desc`,
    );
    this.loadedAt = Date.now();
    const order = rows.map(({ kid }) => kid).join(' ');
    if (order === this.order) return;
    this.keys = await Promise.all(rows.filter(isTokenKey).map(importKey));
    this.cookies = rows.flatMap(({ purpose, privateJwk }) => (purpose === 'cookie' && privateJwk.k ? [privateJwk.k] : []));
    this.order = order;
    for (const listener of this.listeners) listener();
  }

  /** Calls back when a key came, went, or took over the signing. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Looks for changes from now on. @param failed Told of a look that failed; the next may pass. @returns How to stop. */
  follow(failed: (error: unknown) => void): () => void {
    const timer = setInterval(() => void this.reload().catch(failed), pollInterval * 1000);
    return () => clearInterval(timer);
  }

  /** The public key of an id, or undefined when no such key verifies (any more). */
  async find(kid: string, purpose: TokenPurpose): Promise<SigningKey | undefined> {
    const known = () => this.keys.find((key) => key.kid === kid && key.purpose === purpose);
    if (!known() && Date.now() - this.loadedAt > reloadInterval) await this.reload();
    return known();
  }

  /** All keys for tokens, those that sign first. */
  all(): readonly SigningKey[] {
    return this.keys;
  }

  /** The secrets that cookies are signed with: the first signs, all verify. */
  cookieKeys(): string[] {
    return [...this.cookies];
  }

  /** The key that signs now. */
  signer(purpose: TokenPurpose): SigningKey {
    const key = this.keys.find((candidate) => candidate.purpose === purpose);
    if (!key) throw new Error(`There is no signing key for ${purpose}.`);
    return key;
  }
}
