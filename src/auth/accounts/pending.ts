/**
 * Invitations to a proven address, which the person accepts or declines in the portal, without a
 * link.
 */
import type { Database } from '../../database/connection.js';
import { ApiError } from '../../errors.js';
import { accept, decline, invitationEnded, type MemberKey, type Person } from './memberships.js';

export interface PendingInvitation extends MemberKey {
  readonly organizationName: string;
  readonly role: string;
  readonly createdAt: string;
}

/** The invitations to the proven address of an account; none when the address is not proven. */
export const listInvitations = (db: Database, userId: string): Promise<PendingInvitation[]> =>
  db.query<PendingInvitation>(
    `select m.organization_id as "organizationId", m.id as "memberId", o.name as "organizationName", m.role, m.created_at as "createdAt"
     from users u
     join organization_members m on lower(m.email) = lower(u.email) and m.status = 'invited'
     join organizations o on o.id = m.organization_id and o.status = 'active'
     where u.id = $1 and u.email_proven_at is not null
       and not exists (select from organization_members own where own.organization_id = m.organization_id and own.user_id = u.id)
     order by m.created_at, m.id limit 200`,
    [userId],
  );

/**
 * The invitation of an organization to the person's proven address.
 * @throws {ApiError} `not_found`
 */
async function requirePending(
  db: Database,
  person: Person,
  organizationId: string,
): Promise<MemberKey & { readonly email: string }> {
  const [found] = await db.query<MemberKey & { email: string }>(
    `select m.organization_id as "organizationId", m.id as "memberId", m.email from users u
     join organization_members m on m.organization_id = $2 and lower(m.email) = lower(u.email) and m.status = 'invited'
     where u.id = $1 and u.email_proven_at is not null`,
    [person.userId, organizationId],
  );
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
