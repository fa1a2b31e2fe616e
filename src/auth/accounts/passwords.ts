/** Passwords of people: requirements and changes. */
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/record-changes.js';
import { invalid } from '../../errors.js';
import { hashPassword, verifyPassword } from '../password.js';
import { doubtPasskeys, endGrants } from './accounts.js';
import { recordUserEvent } from './events.js';
import type { SignInLimiter } from './limits.js';
import { endSessions, type WebSession } from './sessions.js';

const minLength = 12;
const maxLength = 200;

/**
 * The problem of a new password, as a sentence, or undefined. Length protects; kinds of characters
 * are not required.
 */
function passwordProblem(password: string, email: string): string | undefined {
  if (password.length < minLength)
    return `Use at least ${minLength} characters: a few words in a row are easy to remember.`;
  if (password.length > maxLength) return `Use at most ${maxLength} characters.`;
  if (new Set(password).size < 5) return 'Use more than four different characters.';
  if (password.toLowerCase().includes(email.toLowerCase()))
    return 'Leave your e-mail address out of the password.';
  return undefined;
}

/** @throws {ApiError} `validation_error` under `password` or `repeated`. */
export function requireGoodPassword(password: string, repeated: string, email: string): void {
  const problem = passwordProblem(password, email);
  if (problem) throw invalid({ password: [problem] });
  if (repeated !== password)
    throw invalid({ repeated: ['This is not the same as the new password. Type it again.'] });
}

/** @param hash From hashPassword, which takes too long for a transaction. */
export async function storePassword(tx: Database, userId: string, hash: string): Promise<void> {
  await tx.query('update users set password_hash = $2, updated_at = now() where id = $1', [
    userId,
    hash,
  ]);
}

/**
 * Verifies that the signed-in person is at the browser.
 * @throws {ApiError} `validation_error` under `current`; `rate_limited`, since the password could
 * be guessed here too.
 */
export async function checkCurrentPassword(
  db: Database,
  limiter: SignInLimiter,
  { id: sessionId, user }: WebSession,
  current: string,
): Promise<void> {
  await limiter.countInSession(sessionId);
  const [row] = await db.query<{ hash: string | null }>(
    'select password_hash as hash from users where id = $1',
    [user.id],
  );
  if (!(await verifyPassword(row?.hash, current)))
    throw invalid({ current: ['This is not your current password.'] });
  await limiter.forgiveSession(sessionId);
}

/** What else a person ends together with the other sessions. */
export interface AlsoEnd {
  readonly grants: boolean;
  /** Passkeys are disabled until the person confirms them. */
  readonly passkeys: boolean;
}

/**
 * Changes the password of the signed-in person, and ends the other sessions. Call it after {@link
 * checkCurrentPassword}.
 * @returns The number of sessions that ended.
 * @throws {ApiError} `validation_error` under `password` or `repeated`.
 */
export async function changePassword(
  db: Database,
  { id: sessionId, user }: WebSession,
  actor: Actor,
  password: string,
  repeated: string,
  also: AlsoEnd,
): Promise<number> {
  requireGoodPassword(password, repeated, user.email);
  const hash = await hashPassword(password);
  return db.transaction(async (tx) => {
    await storePassword(tx, user.id, hash);
    await tx.query('delete from one_time_links where user_id = $1', [user.id]);
    if (also.grants) await endGrants(tx, user.id);
    if (also.passkeys) await doubtPasskeys(tx, user.id);
    await recordUserEvent(
      tx,
      actor,
      'change_password',
      user.id,
      also.grants ? { grants: ['all', null] } : {},
    );
    return endSessions(tx, user.id, sessionId);
  });
}
