/** Who is there: organizations and users, as lists. */
import type { Database } from '../database/connection.js';
import { canSignIn } from '../entities/user.js';
import { ApiError } from '../errors.js';
import { type Answer, list } from './answer.js';

interface ListedOrganization {
  readonly slug: string;
  readonly name: string;
  readonly status: string;
  readonly is_publisher: boolean;
  /** Those that aren't suspended. */
  readonly members: number;
  readonly created_at: string;
}

export async function listOrganizations(db: Database): Promise<Answer> {
  const organizations = await db.query<ListedOrganization>(
    `select o.slug, o.name, o.status, o.is_publisher,
       (select count(*)::int from organization_members m where m.organization_id = o.id and m.status <> 'suspended') as members, o.created_at
     from organizations o order by o.slug`,
  );
  return list('organizations', organizations, {
    SLUG: ({ slug }) => slug,
    NAME: ({ name }) => name,
    STATUS: ({ status, is_publisher }) => (is_publisher ? `${status}, publisher` : status),
    MEMBERS: ({ members }) => members,
    SINCE: ({ created_at }) => created_at.slice(0, 10),
  });
}

interface ListedUser {
  readonly email: string;
  readonly name: string;
  readonly status: string;
  /** False until the first password or passkey. */
  readonly can_sign_in: boolean;
  /** Slugs. */
  readonly organizations: readonly string[];
  readonly created_at: string;
}

/** @param organization The slug of one whose members alone are listed. @throws {ApiError} `not_found` when there is no such organization. */
export async function listUsers(db: Database, organization: string | undefined): Promise<Answer> {
  if (organization !== undefined) await requireOrganization(db, organization);
  const users = await db.query<ListedUser>(
    `select u.email, u.display_name as name, u.status,
       ${canSignIn('u')} as can_sign_in,
       coalesce(array_agg(o.slug order by o.slug) filter (where o.slug is not null), '{}') as organizations, u.created_at
     from users u left join organization_members m on m.user_id = u.id left join organizations o on o.id = m.organization_id
     group by u.id having $1::text is null or $1 = any(array_agg(o.slug)) order by lower(u.email)`,
    [organization ?? null],
  );
  return list('users', users, {
    'E-MAIL': ({ email }) => email,
    NAME: ({ name }) => name,
    STATUS: ({ status, can_sign_in }) => (can_sign_in ? status : `${status}, no sign-in yet`),
    ORGANIZATIONS: ({ organizations }) => organizations.join(' '),
  });
}

/** @throws {ApiError} `not_found`. */
export async function requireOrganization(db: Database, slug: string): Promise<{ readonly id: string }> {
  const [found] = await db.query<{ id: string }>('select id from organizations where slug = $1', [slug]);
  if (!found) throw new ApiError('not_found', `There is no organization ${slug}: “lanyard org list” shows them all.`);
  return found;
}
