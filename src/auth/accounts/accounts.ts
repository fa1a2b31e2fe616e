/** Accounts: ownership of addresses, reset of passwords, and end of access. */
import { randomUUIDv7 } from 'node:crypto';
import { type EntityManager, sql } from '../../database/entity-manager.js';
import type { Actor } from '../../database/record-changes.js';
import { Grant } from '../../entities/app.js';
import { OneTimeLink, Passkey, WebSession } from '../../entities/credentials.js';
import { OAuthModel } from '../../entities/oauth.js';
import { addressIn, User } from '../../entities/user.js';
import { ApiError } from '../../errors.js';
import {
  insertUnlessTaken,
  lockHolders,
  lockRow,
  unsettleMembershipsOf,
} from './account-statements.js';
import { recordUserEvent } from './events.js';
import { endSessions } from './sessions.js';

export interface Account {
  readonly id: string;
  readonly signInName: string;
  readonly address: string;
  readonly isProven: boolean;
  /** The organization whose admins may create a reset link. */
  readonly managedBy: string | null;
  readonly hasPassword: boolean;
}

/** An active account. @throws {ApiError} `not_found` */
export async function readAccount(em: EntityManager, id: string): Promise<Account> {
  const user = await em.findOne(User, { id, status: 'active' }, { refresh: true });
  if (!user) throw new ApiError('not_found', 'There is no such account, or it is disabled.');
  return {
    id,
    signInName: user.email,
    address: addressIn(user),
    isProven: user.emailProvenAt !== null,
    managedBy: user.managedBy,
    hasPassword: user.passwordHash !== null,
  };
}

/**
 * Like {@link readAccount}, locked until the transaction ends. Keep it short, because sign-in waits
 * for the lock.
 */
export async function lockAccount(em: EntityManager, id: string): Promise<Account> {
  await lockRow(em, id);
  return readAccount(em, id);
}

export interface NewAccount {
  readonly address: string;
  readonly displayName: string;
  /** Null: the person sets a password through a link. */
  readonly passwordHash: string | null;
  /** The organization that vouches for the person; undefined when the address is proven. */
  readonly organization?: { readonly id: string; readonly slug: string };
}

/**
 * Creates an account. With a proven address the sign-in name is the address, which any other
 * account loses. With an organization that vouches for the person it is `slug/address`, which
 * neither takes an address from its owner, nor reveals whether the address has an account.
 * @throws {ApiError} `conflict` when another account proved the address.
 */
export async function createAccount(
  em: EntityManager,
  actor: (id: string) => Actor,
  given: NewAccount,
): Promise<string> {
  const { address, displayName, passwordHash, organization } = given;
  const id = randomUUIDv7();
  if (organization) await insertManaged(em, id, given, organization);
  else {
    if (!(await takeAddress(em, actor(id), id, address)))
      throw new ApiError('conflict', addressTaken, { field: 'email' });
    const emailProvenAt = sql`now()`;
    await em.insert(User, { id, email: address, displayName, passwordHash, emailProvenAt });
  }
  await recordUserEvent(em, actor(id), 'create', id, {
    email: [null, address],
    displayName: [null, displayName],
  });
  return id;
}

export const addressTaken =
  'There is an account with this e-mail address already: sign in with it.';

/**
 * Numbers the sign-in names when an organization creates several accounts for one address, for
 * example after it assigned the address to another member.
 */
async function insertManaged(
  em: EntityManager,
  id: string,
  account: NewAccount,
  { id: managedBy, slug }: { id: string; slug: string },
): Promise<void> {
  const { address, displayName, passwordHash } = account;
  for (let count = 1; ; count++) {
    const email = `${slug}/${address}${count === 1 ? '' : `/${count}`}`;
    const user = { id, email, address, displayName, passwordHash, managedBy };
    if (await insertUnlessTaken(em, user)) return;
  }
}

/**
 * Records that the person proved ownership of an address. Any other account with the address loses
 * it.
 * @returns False, without a change, when another account has proven the address.
 */
export async function proveAddress(
  em: EntityManager,
  actor: Actor,
  userId: string,
  address: string,
): Promise<boolean> {
  if (!(await takeAddress(em, actor, userId, address))) return false;
  const proven = await em.nativeUpdate(
    User,
    { id: userId, $or: [{ emailProvenAt: null }, { email: { $ne: address } }] },
    {
      email: address,
      address: null,
      managedBy: null,
      emailProvenAt: sql`now()`,
      updatedAt: sql`now()`,
    },
  );
  if (proven > 0)
    await recordUserEvent(em, actor, 'prove_address', userId, { email: [null, address] });
  return true;
}

/**
 * Removes the address from all other accounts that have it unproven.
 * @returns False when one of them has proven it.
 */
async function takeAddress(
  em: EntityManager,
  actor: Actor,
  userId: string,
  address: string,
): Promise<boolean> {
  const holders = await lockHolders(em, address, userId);
  if (holders.some(({ isProven }) => isProven)) return false;
  const ids = holders.map(({ id }) => id);
  if (ids.length > 0) await closeAccounts(em, actor, ids, address);
  return true;
}

/**
 * Ends accounts whose address another person proved. Their memberships were accepted on the word of
 * an organization: each returns to `invited` in its own transaction (memberships.ts), because a
 * request must not wait for other organizations.
 */
async function closeAccounts(
  em: EntityManager,
  actor: Actor,
  ids: readonly string[],
  address: string,
): Promise<void> {
  for (const entity of [WebSession, Grant, OneTimeLink, Passkey, OAuthModel])
    await em.nativeDelete<{ userId: string | null }>(entity, { userId: { $in: ids } });
  await em.nativeUpdate(
    User,
    { id: { $in: ids } },
    {
      email: sql`id::text`,
      address: null,
      managedBy: null,
      passwordHash: null,
      status: 'disabled',
      updatedAt: sql`now()`,
    },
  );
  await unsettleMembershipsOf(em, ids);
  for (const id of ids)
    await recordUserEvent(em, actor, 'lose_address', id, { email: [address, null] });
}

/**
 * Ends earlier credentials of the person: sessions, one-time links and grants of apps. Passkeys are
 * disabled until they are confirmed.
 * @param exceptId A session that continues.
 * @returns The number of active sessions that ended.
 */
export async function endAccess(
  em: EntityManager,
  userId: string,
  exceptId?: string,
): Promise<number> {
  await em.nativeDelete(OneTimeLink, { userId });
  await endGrants(em, userId);
  await doubtPasskeys(em, userId);
  return endSessions(em, userId, exceptId);
}

export async function endGrants(em: EntityManager, userId: string): Promise<void> {
  await em.nativeDelete(Grant, { userId });
  await em.nativeDelete(OAuthModel, { userId, model: { $ne: 'Session' } });
}

/** Disables passkeys until the person confirms them. */
export async function doubtPasskeys(em: EntityManager, userId: string): Promise<void> {
  await em.nativeUpdate(Passkey, { userId }, { isConfirmed: false });
}
