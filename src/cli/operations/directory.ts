/** Lists of organizations and users. */
import type { Database } from '../../database/connection.js';
import { Organization } from '../../entities/organization.js';
import { ApiError } from '../../errors.js';
import { type CommandOutput, list } from '../output/command-output.js';
import { selectOrganizations, selectUsers } from './list-statements.js';

export async function listOrganizations(db: Database): Promise<CommandOutput> {
  const organizations = await selectOrganizations(db);
  return list('organizations', organizations, {
    SLUG: ({ slug }) => slug,
    NAME: ({ name }) => name,
    STATUS: ({ status, is_publisher }) => (is_publisher ? `${status}, publisher` : status),
    MEMBERS: ({ members }) => members,
    SINCE: ({ created_at }) => created_at.slice(0, 10),
  });
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
  const users = await selectUsers(db, organization);
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
  const found = await db.em.findOne(Organization, { slug });
  if (!found)
    throw new ApiError(
      'not_found',
      `There is no organization ${slug}: “lanyard org list” shows them all.`,
    );
  return found;
}
