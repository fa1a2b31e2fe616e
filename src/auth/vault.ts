/** What the database keeps of a private key: the key itself or, with a secret that is not in the database, the key encrypted. */
import { CompactEncrypt, compactDecrypt, errors, type JWK } from 'jose';
import type { Config } from '../config.js';
import { ConfigError } from '../config.js';

/** `jwe`: the key in the compact form of RFC 7516, by A256GCM. */
export type StoredKey = JWK | { readonly jwe: string };

type Secrets = Pick<Config, 'KEY_ENCRYPTION_SECRET'>;

/** Encrypts by the first secret; without any, leaves the key as it is. @param kid Sealed in, so that no key passes for another. */
export async function seal({ KEY_ENCRYPTION_SECRET: [secret] }: Secrets, kid: string, jwk: JWK): Promise<StoredKey> {
  if (!secret) return jwk;
  const text = new TextEncoder().encode(JSON.stringify(jwk));
  return { jwe: await new CompactEncrypt(text).setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid }).encrypt(secret) };
}

/**
 * The key, by whichever secret it was sealed.
 * @throws {ConfigError} when it is encrypted, and no secret fits.
 */
export async function unseal({ KEY_ENCRYPTION_SECRET: secrets }: Secrets, kid: string, stored: StoredKey): Promise<JWK> {
  if (!isSealed(stored)) return stored;
  for (const secret of secrets) {
    try {
      const { plaintext, protectedHeader } = await compactDecrypt(stored.jwe, secret, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      if (protectedHeader.kid === kid) return JSON.parse(new TextDecoder().decode(plaintext)) as JWK;
    } catch (error) {
      if (!(error instanceof errors.JWEDecryptionFailed)) throw error;
    }
  }
  throw new ConfigError(`The signing key ${kid} is encrypted, and KEY_ENCRYPTION_SECRET has no secret that opens it.`);
}

const isSealed = (stored: StoredKey): stored is { readonly jwe: string } => 'jwe' in stored;
