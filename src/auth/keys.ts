/**
 * Signing keys, stored in the database, so that all processes sign and verify with the same keys
 * and follow a rotation without a restart.
 */
import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import { unseal } from './key-encryption.js';
import { type KeyRow, liveKeys, type TokenPurpose } from './key-store.js';

export type { TokenPurpose };

export interface SigningKey {
  readonly kid: string;
  readonly purpose: TokenPurpose;
  readonly algorithm: string;
  readonly privateJwk: JWK;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
}

type TokenKeyRow = KeyRow & { readonly purpose: TokenPurpose };

const privateParts = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi']);

async function importKey(
  { kid, algorithm, purpose }: TokenKeyRow,
  privateJwk: JWK,
): Promise<SigningKey> {
  const about = { kid, alg: algorithm, use: 'sig' };
  const shown = Object.fromEntries(
    Object.entries(privateJwk).filter(([part]) => !privateParts.has(part)),
  ) as JWK;
  const publicJwk: JWK = { ...shown, ...about };
  const [privateKey, publicKey] = await Promise.all([
    importJWK(privateJwk, algorithm),
    importJWK(publicJwk, algorithm),
  ]);
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

const isTokenKey = (row: KeyRow): row is TokenKeyRow => row.purpose !== 'cookie';

/** Seconds between two polls for new keys. */
export const pollInterval = 5;

/**
 * Minimum time in milliseconds between two reloads for unknown key ids, because invented ids must
 * not cause load.
 */
const reloadInterval = 1000;

/**
 * The keys that are not retired, reloaded every few seconds, and when a token names an unknown one.
 */
export class KeyRing {
  private keys: readonly SigningKey[] = [];
  private cookies: readonly string[] = [];
  private loadedAt = 0;
  private reloading: Promise<void> | undefined;
  private order = '';
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly db: Database,
    private readonly config: Config,
  ) {}

  async reload(): Promise<void> {
    const rows = await liveKeys(this.db);
    this.loadedAt = Date.now();
    const order = rows.map(({ kid }) => kid).join(' ');
    if (order === this.order) return;
    const open = await Promise.all(
      rows.map(async (row) => ({ row, jwk: await unseal(this.config, row.kid, row.stored) })),
    );
    this.keys = await Promise.all(
      open.flatMap(({ row, jwk }) => (isTokenKey(row) ? [importKey(row, jwk)] : [])),
    );
    this.cookies = open.flatMap(({ row, jwk }) =>
      row.purpose === 'cookie' && jwk.k ? [jwk.k] : [],
    );
    this.order = order;
    for (const listener of this.listeners) listener();
  }

  /** Registers a listener for added and removed keys and for a change of the signing key. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /**
   * Polls for changes.
   * @param failed Called when a poll fails; the next one may succeed.
   * @returns A function that stops it.
   */
  follow(failed: (error: unknown) => void): () => void {
    const timer = setInterval(() => void this.reload().catch(failed), pollInterval * 1000);
    return () => clearInterval(timer);
  }

  /** The public key for an id, or undefined when no such key verifies (any more). */
  async find(kid: string, purpose: TokenPurpose): Promise<SigningKey | undefined> {
    const known = () => this.keys.find((key) => key.kid === kid && key.purpose === purpose);
    if (!known() && Date.now() - this.loadedAt > reloadInterval) {
      // Requests with unknown key ids share one look.
      this.reloading ??= this.reload().finally(() => {
        this.reloading = undefined;
      });
      await this.reloading;
    }
    return known();
  }

  /** All keys for tokens, the signing ones first. */
  all(): readonly SigningKey[] {
    return this.keys;
  }

  /** The secrets for cookie signatures: the first signs, all verify. */
  cookieKeys(): string[] {
    return [...this.cookies];
  }

  /** The current signing key. */
  signer(purpose: TokenPurpose): SigningKey {
    const key = this.keys.find((candidate) => candidate.purpose === purpose);
    if (!key) throw new Error(`There is no signing key for ${purpose}.`);
    return key;
  }
}
