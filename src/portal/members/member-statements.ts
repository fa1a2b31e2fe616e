/** SQL of the members page: joins that MikroORM's builder cannot express. */
import { isManagedBy } from '../../auth/accounts/link-statements.js';
import type { Database } from '../../database/connection.js';
import type { InvitedMember, ManagedMember } from './page.js';

/** Maximum number of members on a page; the API has all. */
const maxListed = 1000;

export const invitedOf = (db: Database, organizationId: string): Promise<InvitedMember[]> =>
  db.query(
    `select m.id, m.email, m.display_name as "displayName", m.role, m.created_at as "createdAt", i.expires_at as "linkUntil"
     from organization_members m
     left join invitations i on i.organization_id = m.organization_id and i.member_id = m.id and i.expires_at > now()
     where m.organization_id = $1 and m.status = 'invited' order by m.created_at, m.id limit ${maxListed}`,
    [organizationId],
  );

export const managedOf = (db: Database, organizationId: string): Promise<ManagedMember[]> =>
  db.query(
    `select m.id, m.display_name as "displayName", m.role, u.email as "signInName"
     from organization_members m join users u on u.id = m.user_id and u.status = 'active'
     where m.organization_id = $1 and m.status = 'active' and ${isManagedBy('u', '$1')}
     order by lower(m.display_name), m.id limit ${maxListed}`,
    [organizationId],
  );
