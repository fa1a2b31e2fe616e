/** Sign-in: verifies credentials, and opens a session. */

import type { Database } from '../../database/connection.js';
import type { EntityManager } from '../../database/entity-manager.js';
import { Passkey } from '../../entities/credentials.js';
import { User } from '../../entities/user.js';
import { ApiError, invalid } from '../../errors.js';
import { verifyPassword } from '../password.js';
import { findBySignInName, shareAccount } from './account-statements.js';
import type { Device } from './devices.js';
import { recordUserEvent } from './events.js';
import type { SignInLimiter } from './limits.js';
import { type Browser, openSession } from './sessions.js';

/**
 * How a user authenticated, and the credential. It is compared again when the session opens, since
 * it may have ended meanwhile.
 */
export type Proof = { readonly userId: string } & (
  | { readonly method: 'password' | 'link'; readonly passwordHash: string }
  | { readonly method: 'passkey'; readonly credentialId: string }
);

/** The origin of an attempt. */
export interface Origin {
  /** The IP address. */
  readonly address: string;
  readonly device: Device | undefined;
}

/**
 * Verifies sign-in name and password. In a browser with an earlier sign-in of a managed account,
 * its address alone is a valid name too.
 * @throws {ApiError} `validation_error`, equal for unknown users, or `rate_limited`.
 */
export async function checkPassword(
  db: Database,
  limiter: SignInLimiter,
  name: string,
  password: string,
  { address, device }: Origin,
): Promise<Proof> {
  const user = await findBySignInName(db, name, device?.userIds ?? []);
  const attempt = {
    address,
    account: user?.signInName ?? name,
    deviceId: user && device?.userIds.includes(user.id) ? device.id : undefined,
  };
  await limiter.count(attempt);
  const isRight = await verifyPassword(user?.hash, password);
  if (!user?.hash || !isRight)
    throw invalid({
      password: ['The e-mail address or the password is wrong. Check both, and try again.'],
    });
  await limiter.forgive(attempt);
  return { userId: user.id, method: 'password', passwordHash: user.hash };
}

/**
 * Opens a session for an authenticated user.
 * @returns The secret for the session's cookie.
 * @throws {ApiError} `forbidden` when the user was disabled meanwhile; `validation_error` when the
 * credential has ended.
 */
export const enter = (
  db: Database,
  proof: Proof,
  browser: Browser,
  requestId: string,
): Promise<string> =>
  db.em.transactional(async (em) => {
    const { userId, method } = proof;
    // A transaction that ends sessions locks the account. The next statements see what it ended.
    await shareAccount(em, userId);
    const user = await em.findOne(User, { id: userId });
    if (user?.status !== 'active')
      throw new ApiError('forbidden', 'This account is disabled. Ask the operator of this server.');
    if (!(await holds(em, proof, user))) {
      const field = method === 'passkey' ? 'credential' : 'password';
      throw invalid({ [field]: ['Your password was changed just now. Sign in again.'] });
    }
    await recordUserEvent(em, { userId, appId: null, requestId }, 'sign_in', userId, {
      method: [null, method],
    });
    return openSession(em, userId, method, browser);
  });

/** Whether the credential is still valid. */
async function holds(em: EntityManager, proof: Proof, user: User): Promise<boolean> {
  if (proof.method !== 'passkey') return user.passwordHash === proof.passwordHash;
  const { userId, credentialId } = proof;
  return (await em.count(Passkey, { userId, credentialId, isConfirmed: true })) > 0;
}
