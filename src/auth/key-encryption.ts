/**
 * Key encryption: the database stores a private key encrypted, if the configuration has a secret,
 * or in plain text.
 */
import { CompactEncrypt, compactDecrypt, errors, type JWK } from 'jose';
import type { Config } from '../config.js';
import { ConfigError } from '../config.js';

/** `jwe`: the key in the compact form of RFC 7516, encrypted by A256GCM. */
export type StoredKey = JWK | { readonly jwe: string };

type Secrets = Pick<Config, 'KEY_ENCRYPTION_SECRET'>;

/**
 * Encrypts with the first secret; without one, returns the key unchanged.
 * @param kid Authenticated with the key, so that keys cannot be swapped.
 */
export async function seal(
  { KEY_ENCRYPTION_SECRET: [secret] }: Secrets,
  kid: string,
  jwk: JWK,
): Promise<StoredKey> {
  if (!secret) return jwk;
  const text = new TextEncoder().encode(JSON.stringify(jwk));
  return {
    jwe: await new CompactEncrypt(text)
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid })
      .encrypt(secret),
  };
}

/**
 * Decrypts a key with the secret that it was encrypted with.
 * @throws {ConfigError} when it is encrypted, and no secret matches.
 */
export async function unseal(
  { KEY_ENCRYPTION_SECRET: secrets }: Secrets,
  kid: string,
  stored: StoredKey,
): Promise<JWK> {
  if (!isSealed(stored)) return stored;
  for (const secret of secrets) {
    try {
      const { plaintext, protectedHeader } = await compactDecrypt(stored.jwe, secret, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      if (protectedHeader.kid === kid)
        return JSON.parse(new TextDecoder().decode(plaintext)) as JWK;
    } catch (error) {
      if (!(error instanceof errors.JWEDecryptionFailed)) throw error;
    }
  }
  throw new ConfigError(
    `The signing key ${kid} is encrypted, and no secret in KEY_ENCRYPTION_SECRET decrypts it.`,
  );
}

const isSealed = (stored: StoredKey): stored is { readonly jwe: string } => 'jwe' in stored;
