/**
 * One-time links of accounts: with one, a person sets the first password (invitation) or a new one
 * (reset), and is signed in.
 */
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/record-changes.js';
import { addressOf } from '../../entities/user.js';
import { ApiError } from '../../errors.js';
import { hashPassword } from '../password.js';
import { endAccess, lockAccount, proveAddress } from './accounts.js';
import { recordUserEvent } from './events.js';
import { isManagedBy } from './management.js';
import { requireGoodPassword, storePassword } from './passwords.js';
import { createSecret, hashSecret } from './secrets.js';
import type { Proof } from './sign-in.js';

export type LinkPurpose = 'invitation' | 'reset';

const lifetimes: Record<LinkPurpose, string> = { invitation: '7 days', reset: '1 hour' };

/** The lifetime of a link, as text. */
export const lifetimeOf = (purpose: LinkPurpose): string => lifetimes[purpose];

/**
 * Minimum time between two reset mails to a person: a second request must not end the link that
 * they are about to open.
 */
export const resetMailInterval = '30 minutes';

export interface Link {
  readonly url: string;
  readonly email: string;
  readonly signInName: string;
  readonly displayName: string;
  readonly purpose: LinkPurpose;
}

export interface LinkOptions {
  /** The organization whose admin passes it on; its audit log shows the event. */
  readonly organizationId?: string;
}

/**
 * Creates a link for the account; an earlier one for the same purpose ends. Only its hash is
 * stored.
 * @throws {ApiError} `not_found` when the account does not exist or is disabled.
 */
export const createLink = (
  db: Database,
  config: Config,
  actor: Actor,
  userId: string,
  purpose: LinkPurpose,
  { organizationId }: LinkOptions = {},
): Promise<Link> =>
  db.transaction(async (tx) => {
    const link = await insertLink(tx, config, actor, userId, purpose, {
      organizationId,
      isMailed: false,
    });
    if (!link) throw new ApiError('not_found', 'There is no such user, or the user is disabled.');
    return link;
  });

/**
 * Creates a reset link that is mailed and shown to no one else, so that opening it proves the
 * address.
 * @returns Undefined when no account has the sign-in name, or a mail was sent recently.
 */
export const createResetMail = (
  db: Database,
  config: Config,
  actor: Actor,
  signInName: string,
): Promise<Link | undefined> =>
  db.transaction(async (tx) => {
    const [user] = await tx.query<{ id: string }>(
      'select id from users where lower(email) = lower($1)',
      [signInName],
    );
    return user && insertLink(tx, config, actor, user.id, 'reset', { isMailed: true });
  });

interface Inserted {
  readonly organizationId?: string | undefined;
  readonly isMailed: boolean;
}

async function insertLink(
  tx: Database,
  config: Config,
  actor: Actor,
  userId: string,
  purpose: LinkPurpose,
  { organizationId, isMailed }: Inserted,
): Promise<Link | undefined> {
  const secret = createSecret();
  const [user] = await tx.query<Pick<Link, 'email' | 'signInName' | 'displayName'>>(
    `with made as (
       insert into one_time_links (secret_hash, user_id, purpose, expires_at, is_mailed, organization_id)
       select $1, u.id, $3, now() + $4::interval, $5, $6 from users u where u.id = $2 and u.status = 'active'
       on conflict on constraint one_time_links_purpose_key do update set secret_hash = excluded.secret_hash, expires_at = excluded.expires_at,
         is_mailed = excluded.is_mailed, organization_id = excluded.organization_id, created_at = now()
       where not ($5 and one_time_links.is_mailed and one_time_links.created_at > now() - $7::interval)
       returning user_id)
     select ${addressOf('u')} as email, u.email as "signInName", u.display_name as "displayName" from made join users u on u.id = made.user_id`,
    [
      hashSecret(secret),
      userId,
      purpose,
      lifetimes[purpose],
      isMailed,
      organizationId ?? null,
      resetMailInterval,
    ],
  );
  if (!user) return undefined;
  await recordUserEvent(
    tx,
    actor,
    'create_link',
    userId,
    { purpose: [null, purpose] },
    organizationId ?? null,
  );
  return { url: `${config.BASE_URL}/portal/links/${secret}`, purpose, ...user };
}

/**
 * Creates a reset link for a managed account, for an admin of the organization to pass on.
 * @throws {ApiError} `not_found`, or `forbidden` when the organization does not manage the account.
 */
export const createManagedReset = (
  db: Database,
  config: Config,
  actor: Actor,
  organizationId: string,
  memberId: string,
): Promise<Link> =>
  db.transaction(async (tx) => {
    const [member] = await tx.query<{ userId: string; isManaged: boolean }>(
      `select u.id as "userId", ${isManagedBy('u', '$1')} as "isManaged" from organization_members m join users u on u.id = m.user_id
       where m.organization_id = $1 and m.id = $2 and m.status = 'active'`,
      [organizationId, memberId],
    );
    if (!member?.isManaged)
      throw new ApiError(
        'forbidden',
        'Your organization does not manage this account: the person resets the password by e-mail.',
      );
    return createLink(tx, config, actor, member.userId, 'reset', { organizationId });
  });

export interface OpenLink {
  readonly userId: string;
  readonly email: string;
  readonly signInName: string;
  readonly displayName: string;
  readonly purpose: LinkPurpose;
  readonly isMailed: boolean;
  readonly organizationId: string | null;
}

/**
 * The purpose of a link; undefined when it is unknown, was used or has expired, or when its
 * organization no longer manages the account.
 */
export async function findLink(db: Database, secret: string): Promise<OpenLink | undefined> {
  const [link] = await db.query<OpenLink>(
    `select u.id as "userId", ${addressOf('u')} as email, u.email as "signInName", u.display_name as "displayName", l.purpose,
       l.is_mailed as "isMailed", l.organization_id as "organizationId"
     from one_time_links l join users u on u.id = l.user_id and u.status = 'active'
     where l.secret_hash = $1 and l.expires_at > now() and (l.organization_id is null or ${isManagedBy('u', 'l.organization_id')})`,
    [hashSecret(secret)],
  );
  return link;
}

export const linkEnded = 'This link was used already, or has expired. Ask for a new one.';

/**
 * Sets the password, and uses up the link. All sessions and grants end, and passkeys must be
 * confirmed. A mailed link proves the address.
 * @throws {ApiError} `validation_error`, or `not_found` when the link has ended.
 */
export async function redeemLink(
  db: Database,
  secret: string,
  password: string,
  repeated: string,
  requestId: string,
): Promise<Proof> {
  const link = await findLink(db, secret);
  if (!link) throw new ApiError('not_found', linkEnded);
  requireGoodPassword(password, repeated, link.email);
  const hash = await hashPassword(password);
  return db.transaction(async (tx) => {
    // Locks the account first, in the same order as the acceptance of another organization's
    // invitation, which ends this link.
    const { id: userId, address } = await lockAccount(tx, link.userId);
    const isOpen = await findLink(tx, secret);
    const used =
      isOpen &&
      (await tx.query('delete from one_time_links where secret_hash = $1 returning 1', [
        hashSecret(secret),
      ]));
    if (!used?.length) throw new ApiError('not_found', linkEnded);
    const actor = { userId, appId: null, requestId };
    await storePassword(tx, userId, hash);
    await endAccess(tx, userId);
    await recordUserEvent(tx, actor, 'set_password', userId);
    if (link.isMailed) await proveAddress(tx, actor, userId, address);
    return { userId, method: 'link', passwordHash: hash };
  });
}
