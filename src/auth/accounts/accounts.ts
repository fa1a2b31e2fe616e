/** Accounts: ownership of addresses, reset of passwords, and end of access. */
import { randomUUIDv7 } from 'node:crypto';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/record-changes.js';
import { addressOf } from '../../entities/user.js';
import { ApiError } from '../../errors.js';
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

const accountColumns = `u.id, u.email as "signInName", ${addressOf('u')} as address, u.email_proven_at is not null as "isProven",
  u.managed_by as "managedBy", u.password_hash is not null as "hasPassword"`;

/** An active account. @throws {ApiError} `not_found` */
export async function readAccount(db: Database, id: string): Promise<Account> {
  const [account] = await db.query<Account>(
    `select ${accountColumns} from users u where u.id = $1 and u.status = 'active'`,
    [id],
  );
  if (!account) throw new ApiError('not_found', 'There is no such account, or it is disabled.');
  return account;
}

/**
 * Like {@link readAccount}, locked until the transaction ends. Keep it short, because sign-in waits
 * for the lock.
 */
export async function lockAccount(tx: Database, id: string): Promise<Account> {
  await tx.query('select from users where id = $1 for no key update', [id]);
  return readAccount(tx, id);
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
  tx: Database,
  actor: (id: string) => Actor,
  given: NewAccount,
): Promise<string> {
  const { address, displayName, passwordHash, organization } = given;
  const id = randomUUIDv7();
  if (organization) await insertManaged(tx, id, given, organization);
  else {
    if (!(await takeAddress(tx, actor(id), id, address)))
      throw new ApiError('conflict', addressTaken, { field: 'email' });
    await tx.query(
      'insert into users (id, email, display_name, password_hash, email_proven_at) values ($1, $2, $3, $4, now())',
      [id, address, displayName, passwordHash],
    );
  }
  await recordUserEvent(tx, actor(id), 'create', id, {
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
  tx: Database,
  id: string,
  account: NewAccount,
  { id: managedBy, slug }: { id: string; slug: string },
): Promise<void> {
  const { address, displayName, passwordHash } = account;
  for (let count = 1; ; count++) {
    const name = `${slug}/${address}${count === 1 ? '' : `/${count}`}`;
    const made = await tx.query(
      `insert into users (id, email, address, display_name, password_hash, managed_by) values ($1, $2, $3, $4, $5, $6)
       on conflict (lower(email)) do nothing returning 1`,
      [id, name, address, displayName, passwordHash, managedBy],
    );
    if (made.length > 0) return;
  }
}

/**
 * Records that the person proved ownership of an address. Any other account with the address loses
 * it.
 * @returns False, without a change, when another account has proven the address.
 */
export async function proveAddress(
  tx: Database,
  actor: Actor,
  userId: string,
  address: string,
): Promise<boolean> {
  if (!(await takeAddress(tx, actor, userId, address))) return false;
  const proven = await tx.query(
    `update users set email = $2, address = null, managed_by = null, email_proven_at = now(), updated_at = now()
     where id = $1 and (email_proven_at is null or email <> $2) returning 1`,
    [userId, address],
  );
  if (proven.length > 0)
    await recordUserEvent(tx, actor, 'prove_address', userId, { email: [null, address] });
  return true;
}

/**
 * Removes the address from all other accounts that have it unproven.
 * @returns False when one of them has proven it.
 */
async function takeAddress(
  tx: Database,
  actor: Actor,
  userId: string,
  address: string,
): Promise<boolean> {
  const holders = await tx.query<{ id: string; isProven: boolean }>(
    `select id, email_proven_at is not null as "isProven" from users
     where (lower(email) = lower($1) or lower(address) = lower($1)) and id <> $2 order by id for no key update`,
    [address, userId],
  );
  if (holders.some(({ isProven }) => isProven)) return false;
  const ids = holders.map(({ id }) => id);
  if (ids.length > 0) await closeAccounts(tx, actor, ids, address);
  return true;
}

/**
 * Ends accounts whose address another person proved. Their memberships were accepted on the word of
 * an organization: each returns to `invited` in its own transaction (memberships.ts), because a
 * request must not wait for other organizations.
 */
async function closeAccounts(
  tx: Database,
  actor: Actor,
  ids: readonly string[],
  address: string,
): Promise<void> {
  for (const table of ['web_sessions', 'grants', 'one_time_links', 'passkeys', 'oauth_artefacts'])
    await tx.query(`delete from ${table} where user_id = any($1)`, [ids]);
  await tx.query(
    `update users set email = id::text, address = null, managed_by = null, password_hash = null, status = 'disabled', updated_at = now()
     where id = any($1)`,
    [ids],
  );
  await tx.query(
    `insert into unsettled_members (organization_id, member_id, due_at)
     select organization_id, id, now() from organization_members where user_id = any($1)
     on conflict (organization_id, member_id) do update set due_at = excluded.due_at`,
    [ids],
  );
  for (const id of ids)
    await recordUserEvent(tx, actor, 'lose_address', id, { email: [address, null] });
}

/** SQL: whether {@link proveAddress} of another account ended the user of this alias. */
export const isClosed = (user: string): string =>
  `(${user}.status = 'disabled' and ${user}.email = ${user}.id::text)`;

/**
 * Ends earlier credentials of the person: sessions, one-time links and grants of apps. Passkeys are
 * disabled until they are confirmed.
 * @param exceptId A session that continues.
 * @returns The number of active sessions that ended.
 */
export async function endAccess(tx: Database, userId: string, exceptId?: string): Promise<number> {
  await tx.query('delete from one_time_links where user_id = $1', [userId]);
  await endGrants(tx, userId);
  await doubtPasskeys(tx, userId);
  return endSessions(tx, userId, exceptId);
}

export async function endGrants(tx: Database, userId: string): Promise<void> {
  await tx.query('delete from grants where user_id = $1', [userId]);
  await tx.query(`delete from oauth_artefacts where user_id = $1 and model <> 'Session'`, [userId]);
}

/** Disables passkeys until the person confirms them. */
export async function doubtPasskeys(tx: Database, userId: string): Promise<void> {
  await tx.query('update passkeys set is_confirmed = false where user_id = $1', [userId]);
}
