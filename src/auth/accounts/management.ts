/**
 * Managed accounts: an organization vouches for the person, and its admins may create reset links
 * until the person joins a second organization.
 */
import type { Database } from '../../database/connection.js';
import { sql } from '../../database/entity-manager.js';
import { User } from '../../entities/user.js';
import { invalid } from '../../errors.js';
import { hashPassword, verifyPassword } from '../password.js';
import { endAccess, lockAccount } from './accounts.js';
import { recordUserEvent } from './events.js';
import type { Person } from './memberships.js';
import { requireGoodPassword, storePassword } from './passwords.js';

/** The password fields of a form. */
export interface PasswordPair {
  readonly password: string;
  readonly repeated: string;
}

/**
 * Whether accepting an invitation of this organization ends another one's right to create reset
 * links.
 */
export const endsManagement = (managedBy: string | null, organizationId: string): boolean =>
  managedBy !== null && managedBy !== organizationId;

/**
 * Ends management: the organization could have set the password, so the person chooses a new one,
 * and all earlier credentials end.
 * @throws {ApiError} `validation_error`
 */
export async function leaveManagement(
  db: Database,
  person: Person,
  sessionId: string,
  organizationId: string,
  pair: PasswordPair,
): Promise<void> {
  const { userId } = person;
  const before = await db.em.findOne(User, { id: userId });
  if (!before || !endsManagement(before.managedBy, organizationId)) return;
  if (before.passwordHash) {
    requireGoodPassword(pair.password, pair.repeated, before.email);
    if (await verifyPassword(before.passwordHash, pair.password))
      throw invalid({ password: ['This is the password that you have. Choose another.'] });
  }
  const hash = before.passwordHash ? await hashPassword(pair.password) : undefined;
  await db.em.transactional(async (em) => {
    await lockAccount(em, userId);
    await em.nativeUpdate(User, { id: userId }, { managedBy: null, updatedAt: sql`now()` });
    if (hash) await storePassword(em, userId, hash);
    await endAccess(em, userId, sessionId);
    await recordUserEvent(em, person, 'end_managed', userId);
  });
}
