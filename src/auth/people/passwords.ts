/** A person's password: what it must be like, and how it changes. */
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/journal.js';
import { invalid } from '../../errors.js';
import { hashPassword, verifyPassword } from '../password.js';
import { recordUserEvent } from './events.js';
import type { SignInLimiter } from './limits.js';
import { endSessions, type WebSession, type WebUser } from './sessions.js';

const leastLength = 12;
const mostLength = 200;

/** What is wrong with a new password, in a sentence; undefined when it will do. Length is what protects; kinds of characters are not asked for. */
function passwordProblem(password: string, email: string): string | undefined {
  if (password.length < leastLength) return `Use at least ${leastLength} characters: a few words in a row are easy to remember.`;
  if (password.length > mostLength) return `Use at most ${mostLength} characters.`;
  if (new Set(password).size < 5) return 'Use more than four different characters.';
  if (password.toLowerCase().includes(email.toLowerCase())) return 'Leave your e-mail address out of the password.';
  return undefined;
}

/** @throws {ApiError} `validation_error` under `password` or `repeated`. */
export function requireGoodPassword(password: string, repeated: string, email: string): void {
  const problem = passwordProblem(password, email);
  if (problem) throw invalid({ password: [problem] });
  if (repeated !== password) throw invalid({ repeated: ['This is not the same as the new password. Type it again.'] });
}

/** @param hash From hashPassword: hashing takes too long for a transaction. */
export async function storePassword(tx: Database, userId: string, hash: string): Promise<void> {
  await tx.query('update users set password_hash = $2, updated_at = now() where id = $1', [userId, hash]);
}

/**
 * Makes sure that it is the person who is signed in, and not who found the browser open.
 * @throws {ApiError} `validation_error` under `current`, or `rate_limited` since the password could be guessed here too.
 */
export async function checkCurrentPassword(
  db: Database,
  limiter: SignInLimiter,
  user: WebUser,
  current: string,
  address: string,
): Promise<void> {
  await limiter.count(address, user.email);
  const [row] = await db.query<{ hash: string | null }>('select password_hash as hash from users where id = $1', [user.id]);
  if (!(await verifyPassword(row?.hash, current))) throw invalid({ current: ['This is not your current password.'] });
  await limiter.forgive(address, user.email);
}

/**
 * Changes the password of who is signed in, and ends the other sessions. Call it after {@link checkCurrentPassword}.
 * @returns How many sessions ended.
 * @throws {ApiError} `validation_error` under `password` or `repeated`.
 */
export async function changePassword(
  db: Database,
  { id: sessionId, user }: WebSession,
  actor: Actor,
  password: string,
  repeated: string,
): Promise<number> {
  requireGoodPassword(password, repeated, user.email);
  const hash = await hashPassword(password);
  return db.transaction(async (tx) => {
    await storePassword(tx, user.id, hash);
    await recordUserEvent(tx, actor, 'change_password', user.id);
    return endSessions(tx, user.id, sessionId);
  });
}
