/**
 * Managed accounts: an organization vouches for the person, and its admins may create reset links
 * until the person joins a second organization.
 */
import type { Database } from '../../database/connection.js';
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
 * SQL: whether admins of the organization `$n` may create a reset link for the user of this alias.
 * Not for the owner of an app, who acts for other organizations.
 */
export const isManagedBy = (
  user: string,
  organization: string,
): string => `(${user}.managed_by = ${organization} and ${user}.email_proven_at is null
  and not exists (select from apps where apps.owner_id = ${user}.id))`;

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
  const [before] = await db.query<{
    managedBy: string | null;
    former: string | null;
    email: string;
  }>(`select managed_by as "managedBy", password_hash as former, email from users where id = $1`, [
    userId,
  ]);
  if (!before || !endsManagement(before.managedBy, organizationId)) return;
  if (before.former) {
    requireGoodPassword(pair.password, pair.repeated, before.email);
    if (await verifyPassword(before.former, pair.password))
      throw invalid({ password: ['This is the password that you have. Choose another.'] });
  }
  const hash = before.former ? await hashPassword(pair.password) : undefined;
  await db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    await tx.query('update users set managed_by = null, updated_at = now() where id = $1', [
      userId,
    ]);
    if (hash) await storePassword(tx, userId, hash);
    await endAccess(tx, userId, sessionId);
    await recordUserEvent(tx, person, 'end_managed', userId);
  });
}
