/**
 * Invitations to a proven address, which the person accepts or declines in the portal, without a
 * link.
 */
import type { Database } from '../../database/connection.js';
import { ApiError } from '../../errors.js';
import { findPending } from './membership-statements.js';
import { accept, decline, invitationEnded, type MemberKey, type Person } from './memberships.js';

export { listInvitations, type PendingInvitation } from './membership-statements.js';

/**
 * The invitation of an organization to the person's proven address.
 * @throws {ApiError} `not_found`
 */
async function requirePending(
  db: Database,
  person: Person,
  organizationId: string,
): Promise<MemberKey & { readonly email: string }> {
  const found = await findPending(db, person.userId, organizationId);
  if (!found) throw new ApiError('not_found', invitationEnded);
  return found;
}

/**
 * Accepts an invitation to the person's proven address, without a link.
 * @throws {ApiError} `not_found`, `invalid_transition`
 */
export async function acceptPending(
  db: Database,
  person: Person,
  organizationId: string,
): Promise<void> {
  const { email, ...key } = await requirePending(db, person, organizationId);
  await accept(db, person, key, email);
}

/** @throws {ApiError} `not_found` */
export async function declinePending(
  db: Database,
  person: Person,
  organizationId: string,
): Promise<void> {
  const { email, ...key } = await requirePending(db, person, organizationId);
  await decline(db, person, key, email);
}
