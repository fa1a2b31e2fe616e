/** Sign-in: verifies credentials, and opens a session. */

import type { Database } from '../../database/connection.js';
import type { Sql } from '../../database/wire/client.js';
import { ApiError, invalid } from '../../errors.js';
import { verifyPassword } from '../password.js';
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
  const [user] = await db.query<{ id: string; hash: string | null; name: string }>(
    `select id, password_hash as hash, email as name from users
     where status = 'active' and (lower(email) = lower($1) or (lower(address) = lower($1) and id = any($2)))
     order by id = any($2) desc, lower(email) = lower($1) desc limit 1`,
    [name, device?.userIds ?? []],
  );
  const attempt = {
    address,
    account: user?.name ?? name,
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
  db.transaction(async (tx) => {
    const { userId, method } = proof;
    // A transaction that ends sessions locks the account. The next statement sees what it ended.
    await tx.query('select from users where id = $1 for share', [userId]);
    const [user] = await tx.query<{ isActive: boolean; holds: boolean }>(...stillHolds(proof));
    if (!user?.isActive)
      throw new ApiError('forbidden', 'This account is disabled. Ask the operator of this server.');
    if (!user.holds) {
      const field = method === 'passkey' ? 'credential' : 'password';
      throw invalid({ [field]: ['Your password was changed just now. Sign in again.'] });
    }
    await recordUserEvent(tx, { userId, appId: null, requestId }, 'sign_in', userId, {
      method: [null, method],
    });
    return openSession(tx, userId, method, browser);
  });

const stillHolds = (proof: Proof): Sql =>
  proof.method === 'passkey'
    ? [
        `select u.status = 'active' as "isActive",
           exists (select from passkeys p where p.credential_id = $2 and p.user_id = u.id and p.is_confirmed) as holds
         from users u where u.id = $1`,
        [proof.userId, proof.credentialId],
      ]
    : [
        `select status = 'active' as "isActive", password_hash is not distinct from $2 as holds from users where id = $1`,
        [proof.userId, proof.passwordHash],
      ];
