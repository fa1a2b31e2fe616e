/** One-time links: with one, a person sets the first password (invitation) or a new one (reset), and is signed in. */
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/journal.js';
import { canSignIn } from '../../entities/user.js';
import { ApiError } from '../../errors.js';
import { hashPassword } from '../password.js';
import { recordUserEvent } from './events.js';
import { requireGoodPassword, storePassword } from './passwords.js';
import { createSecret, hashSecret } from './secrets.js';
import { endSessions } from './sessions.js';

export type LinkPurpose = 'invitation' | 'reset';

const lifetimes: Record<LinkPurpose, string> = { invitation: '7 days', reset: '1 hour' };

/** How long a link works, for texts. */
export const lifetimeOf = (purpose: LinkPurpose): string => lifetimes[purpose];

export interface Link {
  readonly url: string;
  readonly email: string;
  readonly displayName: string;
  readonly purpose: LinkPurpose;
}

/**
 * A new link for the user; an earlier one for the same purpose ends. It can't be had again, since only its hash is stored.
 * @param organizationId Whose audit log tells of it; null for none.
 * @throws {ApiError} `not_found` when there is no such user, or the user is disabled.
 */
export const createLink = (
  db: Database,
  config: Config,
  actor: Actor,
  userId: string,
  purpose: LinkPurpose,
  organizationId: string | null = null,
): Promise<Link> =>
  db.transaction(async (tx) => {
    const secret = createSecret();
    const [user] = await tx.query<{ email: string; displayName: string }>(
      `select email, display_name as "displayName" from users where id = $1 and status = 'active'`,
      [userId],
    );
    if (!user) throw new ApiError('not_found', 'There is no such user, or the user is disabled.');
    await tx.query(
      `insert into one_time_links (secret_hash, user_id, purpose, expires_at) values ($1, $2, $3, now() + $4::interval)
       on conflict on constraint one_time_links_purpose_key do update set secret_hash = excluded.secret_hash, expires_at = excluded.expires_at`,
      [hashSecret(secret), userId, purpose, lifetimes[purpose]],
    );
    await recordUserEvent(tx, actor, 'create_link', userId, { purpose: [null, purpose] }, organizationId);
    return { url: `${config.BASE_URL}/portal/links/${secret}`, purpose, ...user };
  });

/**
 * The link with which an invited member sets the first password; for an admin of the organization to hand on.
 * Whoever holds it becomes the user: so there is none for a user who has a password or a passkey, or whom another organization counts on.
 * @throws {ApiError} `not_found`, or `invalid_transition` that says why there is no link.
 */
export const inviteMember = (db: Database, config: Config, actor: Actor, organizationId: string, memberId: string): Promise<Link> =>
  db.transaction(async (tx) => {
    const [member] = await tx.query<{ userId: string; status: string; canSignIn: boolean; isElsewhere: boolean }>(
      `select u.id as "userId", m.status,
         ${canSignIn('u')} as "canSignIn",
         exists (select from organization_members o where o.user_id = u.id and o.organization_id <> m.organization_id) as "isElsewhere"
       from organization_members m join users u on u.id = m.user_id
       where m.organization_id = $1 and m.id = $2 for update of u`,
      [organizationId, memberId],
    );
    if (!member) throw new ApiError('not_found');
    if (member.status !== 'invited' || member.canSignIn) throw new ApiError('invalid_transition', 'This person can sign in already.');
    if (member.isElsewhere) {
      throw new ApiError(
        'invalid_transition',
        'Another organization invited this person too: ask the operator of this server for the link.',
      );
    }
    return createLink(tx, config, actor, member.userId, 'invitation', organizationId);
  });

export interface OpenLink {
  readonly userId: string;
  readonly email: string;
  readonly displayName: string;
  readonly purpose: LinkPurpose;
}

/** What a link is for; undefined when it was used, has expired, or never was. */
export async function findLink(db: Database, secret: string): Promise<OpenLink | undefined> {
  const [link] = await db.query<OpenLink>(
    `select u.id as "userId", u.email, u.display_name as "displayName", l.purpose
     from one_time_links l join users u on u.id = l.user_id and u.status = 'active'
     where l.secret_hash = $1 and l.expires_at > now()`,
    [hashSecret(secret)],
  );
  return link;
}

export const linkEnded = 'This link was used already, or has expired. Ask for a new one.';

/**
 * Sets the password that the link allows to set. The link is used up, and the user's sessions end.
 * @returns The user's id.
 * @throws {ApiError} `validation_error`, or `not_found` when the link has ended.
 */
export async function redeemLink(db: Database, secret: string, password: string, repeated: string, requestId: string): Promise<string> {
  const link = await findLink(db, secret);
  if (!link) throw new ApiError('not_found', linkEnded);
  requireGoodPassword(password, repeated, link.email);
  const hash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const [used] = await tx.query<{ userId: string }>(
      'delete from one_time_links where secret_hash = $1 and expires_at > now() returning user_id as "userId"',
      [hashSecret(secret)],
    );
    if (!used) throw new ApiError('not_found', linkEnded);
    const { userId } = used;
    await tx.query('delete from one_time_links where user_id = $1', [userId]);
    await storePassword(tx, userId, hash);
    await endSessions(tx, userId);
    await recordUserEvent(tx, { userId, appId: null, requestId }, 'set_password', userId);
    return userId;
  });
}
