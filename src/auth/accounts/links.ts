/**
 * One-time links of accounts: with one, a person sets the first password (invitation) or a new one
 * (reset), and is signed in.
 */
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import type { EntityManager } from '../../database/entity-manager.js';
import type { Actor } from '../../database/record-changes.js';
import { OneTimeLink } from '../../entities/credentials.js';
import { ApiError } from '../../errors.js';
import { hashPassword } from '../password.js';
import { endAccess, lockAccount, proveAddress } from './accounts.js';
import { recordUserEvent } from './events.js';
import {
  findOpenLink,
  findUserByName,
  managedMember,
  type OpenLink,
  replaceLink,
} from './link-statements.js';
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
  options: LinkOptions = {},
): Promise<Link> =>
  db.em.transactional(async (em) => {
    return requireLink(em, config, actor, userId, purpose, options);
  });

async function requireLink(
  em: EntityManager,
  config: Config,
  actor: Actor,
  userId: string,
  purpose: LinkPurpose,
  { organizationId }: LinkOptions,
): Promise<Link> {
  const options = { organizationId, isMailed: false };
  const link = await insertLink(em, config, actor, userId, purpose, options);
  if (!link) throw new ApiError('not_found', 'There is no such user, or the user is disabled.');
  return link;
}

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
  db.em.transactional(async (em) => {
    const user = await findUserByName(em, signInName);
    return user && insertLink(em, config, actor, user.id, 'reset', { isMailed: true });
  });

interface Inserted {
  readonly organizationId?: string | undefined;
  readonly isMailed: boolean;
}

async function insertLink(
  em: EntityManager,
  config: Config,
  actor: Actor,
  userId: string,
  purpose: LinkPurpose,
  { organizationId, isMailed }: Inserted,
): Promise<Link | undefined> {
  const secret = createSecret();
  const user = await replaceLink(
    em,
    {
      secretHash: hashSecret(secret),
      userId,
      purpose,
      isMailed,
      organizationId: organizationId ?? null,
    },
    lifetimes[purpose],
    resetMailInterval,
  );
  if (!user) return undefined;
  await recordUserEvent(
    em,
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
  db.em.transactional(async (em) => {
    const member = await managedMember(em, organizationId, memberId);
    if (!member?.isManaged)
      throw new ApiError(
        'forbidden',
        'Your organization does not manage this account: the person resets the password by e-mail.',
      );
    return requireLink(em, config, actor, member.userId, 'reset', { organizationId });
  });

export type { OpenLink } from './link-statements.js';

/**
 * The purpose of a link; undefined when it is unknown, was used or has expired, or when its
 * organization no longer manages the account.
 */
export const findLink = (db: Database, secret: string): Promise<OpenLink | undefined> =>
  findOpenLink(db.em, hashSecret(secret));

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
  return db.em.transactional(async (em) => {
    // Locks the account first, in the same order as the acceptance of another organization's
    // invitation, which ends this link.
    const { id: userId, address } = await lockAccount(em, link.userId);
    const secretHash = hashSecret(secret);
    const isOpen = await findOpenLink(em, secretHash);
    if (!isOpen || (await em.nativeDelete(OneTimeLink, { secretHash })) === 0)
      throw new ApiError('not_found', linkEnded);
    const actor = { userId, appId: null, requestId };
    await storePassword(em, userId, hash);
    await endAccess(em, userId);
    await recordUserEvent(em, actor, 'set_password', userId);
    if (link.isMailed) await proveAddress(em, actor, userId, address);
    return { userId, method: 'link', passwordHash: hash };
  });
}
