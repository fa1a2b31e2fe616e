/** How the operator lets people and their organizations in. */
import { randomUUIDv7 } from 'node:crypto';
import { recordUserEvent } from '../auth/people/events.js';
import { createLink, type Link } from '../auth/people/links.js';
import { endSessions } from '../auth/people/sessions.js';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import { type Actor, write } from '../database/journal.js';
import { slugOf } from '../entities/definition.js';
import { OrganizationMember } from '../entities/member.js';
import { Organization } from '../entities/organization.js';
import { canSignIn } from '../entities/user.js';
import { ApiError, conflict, invalid } from '../errors.js';

/** Whoever may use the command line; the audit shows it as the operator. */
export const operator: Actor = { userId: null, appId: null, requestId: null };

interface User {
  readonly id: string;
  readonly canSignIn: boolean;
}

async function findUser(db: Database, email: string): Promise<User | undefined> {
  const [user] = await db.query<User>(`select u.id, ${canSignIn('u')} as "canSignIn" from users u where lower(u.email) = lower($1)`, [
    email,
  ]);
  return user;
}

/** @throws {ApiError} `not_found`. */
export async function requireUser(db: Database, email: string): Promise<{ readonly id: string }> {
  const user = await findUser(db, email);
  if (!user) throw noUser(email);
  return user;
}

const noUser = (email: string) => new ApiError('not_found', `There is no user ${email}: “lanyard user list” shows them all.`);

async function insertUser(tx: Database, email: string, name: string): Promise<User> {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw invalid({ email: [`“${email}” is not an e-mail address.`] });
  const id = randomUUIDv7();
  await tx.query('insert into users (id, email, display_name) values ($1, $2, $3)', [id, email, name]);
  await recordUserEvent(tx, operator, 'create', id, { email: [null, email], displayName: [null, name] });
  return { id, canSignIn: false };
}

/**
 * A new user, who sets a password through the link.
 * @throws {ApiError} `validation_error` or `conflict`.
 */
export const createUser = (db: Database, config: Config, email: string, name: string): Promise<Link> =>
  db.transaction(async (tx) => {
    if (await findUser(tx, email)) throw conflict('email', `There is already a user ${email}.`);
    const { id } = await insertUser(tx, email, name);
    return createLink(tx, config, operator, id, 'invitation');
  });

/** A link through which a user sets a new password. @throws {ApiError} `not_found`. */
export const resetPassword = (db: Database, config: Config, email: string): Promise<Link> =>
  db.transaction(async (tx) => {
    const user = await requireUser(tx, email);
    return createLink(tx, config, operator, user.id, 'reset');
  });

/**
 * Turns a user off or on. While off, the user's tokens are refused and the user can't sign in; sessions of the portal end for good.
 * @throws {ApiError} `not_found`.
 */
export const setUserStatus = (db: Database, email: string, status: 'active' | 'disabled'): Promise<void> =>
  db.transaction(async (tx) => {
    const [user] = await tx.query<{ id: string; status: string }>(
      `select id, status from users where lower(email) = lower($1) for update`,
      [email],
    );
    if (!user) throw noUser(email);
    if (user.status === status) return;
    await tx.query('update users set status = $2, updated_at = clock_timestamp() where id = $1', [user.id, status]);
    await endSessions(tx, user.id);
    await recordUserEvent(tx, operator, status === 'active' ? 'enable' : 'disable', user.id, { status: [user.status, status] });
  });

export interface NewOrganization {
  readonly name: string;
  /** Made from the name when left out. */
  readonly slug?: string | undefined;
  /** The e-mail address of the first admin, who needn't be a user yet. */
  readonly admin: string;
}

/**
 * A new organization with its first admin.
 * @returns Its slug, and a link when the admin can't sign in yet.
 * @throws {ApiError} `validation_error` or `conflict`.
 */
export const createOrganization = (db: Database, config: Config, given: NewOrganization): Promise<{ slug: string; link?: Link }> =>
  db.transaction(async (tx) => {
    const slug = given.slug ?? slugOf(given.name);
    if (slug !== slugOf(slug) || slug === '')
      throw invalid({ slug: ['A slug has lower-case letters, digits and single hyphens: give one with --slug.'] });
    const taken = await tx.query('select from organizations where slug = $1', [slug]);
    if (taken.length > 0) throw conflict('slug', `There is already an organization with the slug ${slug}: give another with --slug.`);
    const displayName = given.admin.split('@')[0] ?? '';
    const user = (await findUser(tx, given.admin)) ?? (await insertUser(tx, given.admin, displayName));
    const primary = await tx.query('select from organization_members where user_id = $1 and is_primary', [user.id]);
    const organizationId = randomUUIDv7();
    const member = {
      userId: user.id,
      email: given.admin,
      displayName,
      role: 'admin',
      status: user.canSignIn ? 'active' : 'invited',
      isPrimary: primary.length === 0,
    };
    await write(tx, operator, [
      {
        organizationId,
        entity: Organization,
        key: { id: organizationId },
        set: { name: given.name, slug, status: 'active', isPublisher: false },
      },
      { organizationId, entity: OrganizationMember, key: { organizationId, id: randomUUIDv7() }, set: member },
    ]);
    return user.canSignIn ? { slug } : { slug, link: await createLink(tx, config, operator, user.id, 'invitation', organizationId) };
  });
