/** Signing in: proving who one is, and what follows from it. */
import type { Database } from '../../database/connection.js';
import { type Change, write } from '../../database/journal.js';
import { OrganizationMember } from '../../entities/member.js';
import { ApiError, invalid } from '../../errors.js';
import { verifyPassword } from '../password.js';
import { recordUserEvent } from './events.js';
import type { SignInLimiter } from './limits.js';
import { type Browser, openSession, type SignInMethod } from './sessions.js';

/**
 * The user with the e-mail address and password.
 * @throws {ApiError} `validation_error` that is the same whether there is such a user or not, or `rate_limited`.
 */
export async function checkPassword(
  db: Database,
  limiter: SignInLimiter,
  email: string,
  password: string,
  address: string,
): Promise<string> {
  await limiter.count(address, email);
  const [user] = await db.query<{ id: string; hash: string | null }>(
    `select id, password_hash as hash from users where lower(email) = lower($1) and status = 'active'`,
    [email],
  );
  const isRight = await verifyPassword(user?.hash, password);
  if (!user || !isRight) throw invalid({ password: ['The e-mail address or the password is wrong. Check both, and try again.'] });
  await limiter.forgive(address, email);
  return user.id;
}

/**
 * Opens a session for a user who proved to be one. Memberships that the person was invited to become active.
 * @returns The secret for the session's cookie.
 * @throws {ApiError} `forbidden` when the user was disabled meanwhile.
 */
export const enter = (db: Database, userId: string, method: SignInMethod, browser: Browser, requestId: string): Promise<string> =>
  db.transaction(async (tx) => {
    const [user] = await tx.query(`select from users where id = $1 and status = 'active' for share`, [userId]);
    if (!user) throw new ApiError('forbidden', 'This account is disabled. Ask an admin of your organization.');
    const invited = await tx.query<{ organizationId: string; id: string }>(
      `select organization_id as "organizationId", id from organization_members where user_id = $1 and status = 'invited' for update`,
      [userId],
    );
    const changes: Change[] = invited.map((key) => ({
      organizationId: key.organizationId,
      entity: OrganizationMember,
      key,
      set: { status: 'active' },
      from: { status: 'invited' },
    }));
    const actor = { userId, appId: null, requestId };
    if (changes.length > 0) await write(tx, actor, changes);
    await recordUserEvent(tx, actor, 'sign_in', userId, { method: [null, method] });
    return openSession(tx, userId, method, browser);
  });
