/** Operator functions for people and their organizations. */
import { randomUUIDv7 } from 'node:crypto';
import { lockRow } from '../../auth/accounts/account-statements.js';
import { createAccount, lockAccount, proveAddress } from '../../auth/accounts/accounts.js';
import { recordUserEvent } from '../../auth/accounts/events.js';
import { createInvitation, type InvitationLink } from '../../auth/accounts/invitations.js';
import { createLink, type Link } from '../../auth/accounts/links.js';
import { settleDue } from '../../auth/accounts/memberships.js';
import { endSessions } from '../../auth/accounts/sessions.js';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { sql } from '../../database/entity-manager.js';
import { type Actor, recordChanges } from '../../database/record-changes.js';
import { slugOf } from '../../entities/definition.js';
import { invited, OrganizationMember } from '../../entities/member.js';
import { Organization } from '../../entities/organization.js';
import { User } from '../../entities/user.js';
import { ApiError, conflict, invalid } from '../../errors.js';
import { requireOrganization } from './directory.js';
import { findMember, findUsers, invitingOrganizations } from './people-statements.js';

/** The actor of the command line; the audit shows it as the operator. */
export const operator: Actor = { userId: null, appId: null, requestId: null };

/**
 * The account with this sign-in name, or else the only one with this e-mail address.
 * @throws {ApiError} `conflict` when several accounts have the address unproven.
 */
async function findUser(db: Database, name: string): Promise<{ readonly id: string } | undefined> {
  const users = await findUsers(db, name);
  const exact = users.find(({ signInName }) => signInName.toLowerCase() === name.toLowerCase());
  if (exact || users.length < 2) return exact ?? users[0];
  const names = users.map(({ signInName }) => signInName).join(', ');
  throw new ApiError(
    'conflict',
    `Several accounts have ${name}: use the sign-in name of one, ${names}.`,
  );
}

/** @throws {ApiError} `not_found`, `conflict`. */
export async function requireUser(db: Database, name: string): Promise<{ readonly id: string }> {
  const user = await findUser(db, name);
  if (!user) throw await noUser(db, name);
  return user;
}

/** An invited person has no account before they accept. */
async function noUser(db: Database, name: string): Promise<ApiError> {
  const slugs = await invitingOrganizations(db, name);
  return new ApiError(
    'not_found',
    slugs.length > 0
      ? `${name} was invited by ${slugs.join(', ')}, and has not accepted: there is no account yet. “lanyard org invite ${slugs[0]} --email ${name}” prints a new link.`
      : `There is no user ${name}: “lanyard user list” shows them all.`,
  );
}

/**
 * Runs the work in a transaction. Then memberships of accounts that lost their address return to
 * `invited`.
 */
async function settled<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  const result = await db.transaction(work);
  // Locked memberships are settled by a server within ten minutes.
  await settleDue(db, () => {});
  return result;
}

/**
 * Creates a user, who sets a password through the link. The operator vouches for the address: it
 * counts as proven.
 * @throws {ApiError} `validation_error` or `conflict`.
 */
export const createUser = (
  db: Database,
  config: Config,
  email: string,
  name: string,
): Promise<Link> =>
  settled(db, async (tx) => {
    if (await findUser(tx, email)) throw conflict('email', `There is already a user ${email}.`);
    const id = await createAccount(tx.em, () => operator, {
      address: email,
      displayName: name,
      passwordHash: null,
    });
    return createLink(tx, config, operator, id, 'invitation');
  });

/**
 * Marks an e-mail address as proven by the account. Other accounts with the address lose it.
 * @returns The address, which is now the sign-in name.
 * @throws {ApiError} `not_found`, or `conflict` when another account has proven the address.
 */
export const verifyUser = (db: Database, name: string): Promise<string> =>
  settled(db, async (tx) => {
    const { id } = await requireUser(tx, name);
    const { address } = await lockAccount(tx.em, id);
    if (!(await proveAddress(tx.em, operator, id, address)))
      throw conflict('email', `Another account has proven ${address}.`);
    return address;
  });

/** Creates a link with which a user sets a new password. @throws {ApiError} `not_found`. */
export const resetPassword = (db: Database, config: Config, name: string): Promise<Link> =>
  db.transaction(async (tx) => {
    const user = await requireUser(tx, name);
    return createLink(tx, config, operator, user.id, 'reset');
  });

/**
 * Enables or disables a user. The tokens of a disabled user are refused, sign-in is blocked, and
 * portal sessions end.
 * @throws {ApiError} `not_found`.
 */
export const setUserStatus = (
  db: Database,
  name: string,
  status: 'active' | 'disabled',
): Promise<void> =>
  db.transaction(async (tx) => {
    const { id } = await requireUser(tx, name);
    await lockRow(tx.em, id);
    const user = await tx.em.findOne(User, { id });
    if (!user) throw await noUser(tx, name);
    const before = user.status;
    if (before === status) return;
    await tx.em.nativeUpdate(User, { id }, { status, updatedAt: sql`statement_timestamp()` });
    await endSessions(tx.em, user.id);
    await recordUserEvent(tx.em, operator, status === 'active' ? 'enable' : 'disable', user.id, {
      status: [before, status],
    });
  });

export interface NewOrganization {
  readonly name: string;
  /** Default: derived from the name. */
  readonly slug?: string | undefined;
  /** The e-mail address of the first admin, who needs no account yet. */
  readonly admin: string;
}

/**
 * Creates an organization with its first admin, who accepts through the link. The operator vouches
 * for the address.
 * @throws {ApiError} `validation_error` or `conflict`.
 */
export const createOrganization = (
  db: Database,
  config: Config,
  given: NewOrganization,
): Promise<{ readonly slug: string; readonly link: InvitationLink }> =>
  db.transaction(async (tx) => {
    const slug = given.slug ?? slugOf(given.name);
    if (slug !== slugOf(slug) || slug === '')
      throw invalid({
        slug: ['A slug has lower-case letters, digits and single hyphens: give one with --slug.'],
      });
    if ((await tx.em.count(Organization, { slug })) > 0)
      throw conflict(
        'slug',
        `There is already an organization with the slug ${slug}: give another with --slug.`,
      );
    const [organizationId, memberId] = [randomUUIDv7(), randomUUIDv7()];
    const member = {
      ...invited(memberId),
      email: given.admin,
      displayName: given.admin.split('@')[0] ?? '',
      role: 'admin',
      isPrimary: false,
    };
    await recordChanges(tx, operator, [
      {
        organizationId,
        entity: Organization,
        key: { id: organizationId },
        set: { name: given.name, slug, status: 'active', isPublisher: false },
      },
      {
        organizationId,
        entity: OrganizationMember,
        key: { organizationId, id: memberId },
        set: member,
      },
    ]);
    return {
      slug,
      link: await createInvitation(tx, config, operator, { organizationId, memberId }, 'operator'),
    };
  });

/**
 * Creates a link for an invited member; an earlier one ends. The operator vouches for the address.
 * @throws {ApiError} `not_found`, or `invalid_transition` when the member has accepted or is
 * suspended.
 */
export const inviteAgain = (
  db: Database,
  config: Config,
  slug: string,
  email: string,
): Promise<InvitationLink> =>
  db.transaction(async (tx) => {
    const { id: organizationId } = await requireOrganization(tx, slug);
    const member = await findMember(tx, organizationId, email);
    if (!member) {
      throw new ApiError(
        'not_found',
        `${slug} has no member ${email}. Add the member first, in the name of an admin: “lanyard import”, or the API.`,
      );
    }
    if (member.status !== 'invited')
      throw new ApiError(
        'invalid_transition',
        `${email} is not invited by ${slug}: the membership is ${member.status}.`,
      );
    return createInvitation(
      tx,
      config,
      operator,
      { organizationId, memberId: member.id },
      'operator',
    );
  });
