/**
 * SQL about invitations that MikroORM's builder cannot express: a lock that does not block
 * references to the row (`for no key update`), and indexed expressions.
 */
import type { Database } from '../../database/connection.js';
import type { EntityManager } from '../../database/entity-manager.js';
import type { OrganizationMember } from '../../entities/member.js';
import type { MemberKey } from './membership-statements.js';

/** Locks the membership, so that its status cannot change before the invitation is stored. */
export async function lockInvited(
  em: EntityManager,
  { organizationId, memberId }: MemberKey,
): Promise<Pick<OrganizationMember, 'email' | 'displayName' | 'status'> | undefined> {
  const [member] = await em.query<Pick<OrganizationMember, 'email' | 'displayName' | 'status'>>(
    `select email, display_name as "displayName", status from organization_members where organization_id = $1 and id = $2 for no key update`,
    [organizationId, memberId],
  );
  return member;
}

export interface OpenInvitation extends MemberKey {
  readonly organizationName: string;
  readonly organizationSlug: string;
  readonly email: string;
  readonly displayName: string;
  readonly role: string;
  readonly isProof: boolean;
  /** The account that was created with the link, while its membership is not active. */
  readonly accountId: string | null;
  /**
   * For a link that proves the address: whether an account has proven it before. Other links must
   * not reveal this.
   */
  readonly hasAccount: boolean;
}

/** The invitation with the secret, while its member is invited with the same address. */
export async function findOpenInvitation(
  db: Database,
  secretHash: Buffer,
): Promise<OpenInvitation | undefined> {
  const [invitation] = await db.query<OpenInvitation>(
    `select i.organization_id as "organizationId", i.member_id as "memberId", o.name as "organizationName", o.slug as "organizationSlug",
       i.email, m.display_name as "displayName", m.role, i.sent_by <> 'admin' as "isProof", i.account_id as "accountId",
       i.sent_by <> 'admin' and exists (
         select from users u where lower(u.email) = lower(i.email) and u.email_proven_at is not null) as "hasAccount"
     from invitations i
     join organization_members m on m.organization_id = i.organization_id and m.id = i.member_id
     join organizations o on o.id = i.organization_id and o.status = 'active'
     where i.secret_hash = $1 and i.expires_at > now() and m.status = 'invited' and lower(m.email) = lower(i.email)`,
    [secretHash],
  );
  return invitation;
}
