/** SQL about people that MikroORM's builder cannot express: conditions over indexed expressions. */
import type { Database } from '../../database/connection.js';

/** The accounts with the sign-in name or the e-mail address. */
export const findUsers = (
  db: Database,
  name: string,
): Promise<{ readonly id: string; readonly signInName: string }[]> =>
  db.query(
    `select id, email as "signInName" from users where lower(email) = lower($1) or lower(address) = lower($1) order by lower(email)`,
    [name],
  );

/** The slugs of the organizations that invited the address. */
export async function invitingOrganizations(db: Database, address: string): Promise<string[]> {
  const invitations = await db.query<{ slug: string }>(
    `select o.slug from organization_members m join organizations o on o.id = m.organization_id
     where lower(m.email) = lower($1) and m.status = 'invited' order by o.slug`,
    [address],
  );
  return invitations.map(({ slug }) => slug);
}

export async function findMember(
  db: Database,
  organizationId: string,
  email: string,
): Promise<{ readonly id: string; readonly status: string } | undefined> {
  const [member] = await db.query<{ id: string; status: string }>(
    'select id, status from organization_members where organization_id = $1 and lower(email) = lower($2)',
    [organizationId, email],
  );
  return member;
}

interface Manager {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: string;
}

/** An active admin or manager of the organization. */
export async function findManager(
  db: Database,
  slug: string,
  email: string,
): Promise<Manager | undefined> {
  const [found] = await db.query<Manager>(
    `select o.id as "organizationId", u.id as "userId", m.role from organizations o
     join organization_members m on m.organization_id = o.id and m.status = 'active'
     join users u on u.id = m.user_id and u.status = 'active'
     where o.slug = $1 and lower(u.email) = lower($2) and m.role in ('admin', 'manager')`,
    [slug, email],
  );
  return found;
}
