/** Lists of organizations and users. */
import type { Database } from '../../database/connection.js';
import { addressOf, canSignIn } from '../../entities/user.js';
import { ApiError } from '../../errors.js';
import { type CommandOutput, list } from '../output/command-output.js';

interface ListedOrganization {
  readonly slug: string;
  readonly name: string;
  readonly status: string;
  readonly is_publisher: boolean;
  /** Number of members that are not suspended. */
  readonly members: number;
  readonly created_at: string;
}

export async function listOrganizations(db: Database): Promise<CommandOutput> {
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
  readonly sign_in_name: string;
  readonly is_proven: boolean;
  readonly name: string;
  readonly status: string;
  /** False until the first password or passkey. */
  readonly can_sign_in: boolean;
  /** Slugs. */
  readonly organizations: readonly string[];
  readonly created_at: string;
}

/**
 * @param organization A slug, to list only its members.
 * @throws {ApiError} `not_found` when the organization does not exist.
 */
export async function listUsers(
  db: Database,
  organization: string | undefined,
): Promise<CommandOutput> {
  if (organization !== undefined) await requireOrganization(db, organization);
  const users = await db.query<ListedUser>(
    `select ${addressOf('u')} as email, u.email as sign_in_name, u.email_proven_at is not null as is_proven, u.display_name as name, u.status,
       ${canSignIn('u')} as can_sign_in,
       coalesce(array_agg(o.slug order by o.slug) filter (where o.slug is not null), '{}') as organizations, u.created_at
     from users u left join organization_members m on m.user_id = u.id left join organizations o on o.id = m.organization_id
     group by u.id having $1::text is null or $1 = any(array_agg(o.slug)) order by lower(u.email)`,
    [organization ?? null],
  );
  return list('users', users, {
    'SIGN-IN NAME': ({ sign_in_name }) => sign_in_name,
    NAME: ({ name }) => name,
    STATUS: ({ status, can_sign_in, is_proven }) =>
      [status, !can_sign_in && 'no sign-in yet', !is_proven && 'address not proven']
        .filter(Boolean)
        .join(', '),
    ORGANIZATIONS: ({ organizations }) => organizations.join(' '),
  });
}

/** @throws {ApiError} `not_found`. */
export async function requireOrganization(
  db: Database,
  slug: string,
): Promise<{ readonly id: string }> {
  const [found] = await db.query<{ id: string }>('select id from organizations where slug = $1', [
    slug,
  ]);
  if (!found)
    throw new ApiError(
      'not_found',
      `There is no organization ${slug}: “lanyard org list” shows them all.`,
    );
  return found;
}
