/**
 * SQL about one-time links that MikroORM's builder cannot express: conditions over indexed
 * expressions and subqueries, and an upsert with a condition.
 */
import type { EntityManager } from '../../database/entity-manager.js';
import type { OneTimeLink } from '../../entities/credentials.js';
import { addressOf } from '../../entities/user.js';

/**
 * SQL: whether admins of the organization `$n` may create a reset link for the user of this alias.
 * Not for the owner of an app, who acts for other organizations.
 */
export const isManagedBy = (
  user: string,
  organization: string,
): string => `(${user}.managed_by = ${organization} and ${user}.email_proven_at is null
  and not exists (select from apps where apps.owner_id = ${user}.id))`;

export async function findUserByName(
  em: EntityManager,
  signInName: string,
): Promise<{ readonly id: string } | undefined> {
  const [user] = await em.query<{ id: string }>(
    'select id from users where lower(email) = lower($1)',
    [signInName],
  );
  return user;
}

interface LinkedUser {
  readonly email: string;
  readonly signInName: string;
  readonly displayName: string;
}

/**
 * Inserts the link of an active user; an earlier one for the same purpose ends.
 * @param interval Minimum time between two mailed links.
 * @returns Undefined when there is no such user, or a link was mailed within the interval.
 */
export async function replaceLink(
  em: EntityManager,
  link: Pick<OneTimeLink, 'secretHash' | 'userId' | 'purpose' | 'isMailed' | 'organizationId'>,
  lifetime: string,
  interval: string,
): Promise<LinkedUser | undefined> {
  const { secretHash, userId, purpose, isMailed, organizationId } = link;
  const [user] = await em.query<LinkedUser>(
    `with made as (
       insert into one_time_links (secret_hash, user_id, purpose, expires_at, is_mailed, organization_id, created_at)
       select $1, u.id, $3, now() + $4::interval, $5, $6, now() from users u where u.id = $2 and u.status = 'active'
       on conflict on constraint one_time_links_purpose_key do update set secret_hash = excluded.secret_hash, expires_at = excluded.expires_at,
         is_mailed = excluded.is_mailed, organization_id = excluded.organization_id, created_at = excluded.created_at
       where not ($5 and one_time_links.is_mailed and excluded.created_at - one_time_links.created_at < $7::interval)
       returning user_id)
     select ${addressOf('u')} as email, u.email as "signInName", u.display_name as "displayName" from made join users u on u.id = made.user_id`,
    [secretHash, userId, purpose, lifetime, isMailed, organizationId, interval],
  );
  return user;
}

/** The account of an active member, and whether the organization manages it. */
export async function managedMember(
  em: EntityManager,
  organizationId: string,
  memberId: string,
): Promise<{ readonly userId: string; readonly isManaged: boolean } | undefined> {
  const [member] = await em.query<{ userId: string; isManaged: boolean }>(
    `select u.id as "userId", ${isManagedBy('u', '$1')} as "isManaged" from organization_members m join users u on u.id = m.user_id
     where m.organization_id = $1 and m.id = $2 and m.status = 'active'`,
    [organizationId, memberId],
  );
  return member;
}

export interface OpenLink extends LinkedUser {
  readonly userId: string;
  readonly purpose: OneTimeLink['purpose'];
  readonly isMailed: boolean;
  readonly organizationId: string | null;
}

export async function findOpenLink(
  em: EntityManager,
  secretHash: Buffer,
): Promise<OpenLink | undefined> {
  const [link] = await em.query<OpenLink>(
    `select u.id as "userId", ${addressOf('u')} as email, u.email as "signInName", u.display_name as "displayName", l.purpose,
       l.is_mailed as "isMailed", l.organization_id as "organizationId"
     from one_time_links l join users u on u.id = l.user_id and u.status = 'active'
     where l.secret_hash = $1 and l.expires_at > now() and (l.organization_id is null or ${isManagedBy('u', 'l.organization_id')})`,
    [secretHash],
  );
  return link;
}
