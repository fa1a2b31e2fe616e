/** Random secrets that a person's browser carries: shown once, and kept as a hash. */
import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, as text that fits into a cookie and a URL. */
export const createSecret = (): string => randomBytes(32).toString('base64url');

/** What is stored of a secret. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
