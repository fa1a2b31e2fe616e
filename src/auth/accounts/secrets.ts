/** Random secrets in a person's browser: shown once, stored as a hash. */
import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as text for cookies and URLs. */
export const createSecret = (): string => randomBytes(32).toString('base64url');

/** The stored hash of a secret. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
