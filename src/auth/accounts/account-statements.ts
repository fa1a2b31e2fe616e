/**
 * SQL about accounts that MikroORM's builder cannot express: locks that do not block references
 * to the row (`for no key update`), indexed expressions, and inserts from a query.
 */
import type { Database } from '../../database/connection.js';
import type { EntityManager } from '../../database/entity-manager.js';
import type { User } from '../../entities/user.js';

const accountKey = `hashtextextended('account ' || $1::text, 0)`;

/**
 * Locks the account until the transaction ends. Sign-in waits for it ({@link shareAccount}). On a
 * cluster, the lock of a row of people would be one of all of them, on all nodes.
 */
export async function lockRow(em: EntityManager, id: string): Promise<void> {
  await em.query(
    em.handle.isDistributed
      ? `select pg_advisory_xact_lock(${accountKey})`
      : 'select from users where id = $1 for no key update',
    [id],
  );
}

/** Waits for transactions that hold {@link lockRow}, and delays later ones. */
export async function shareAccount(em: EntityManager, id: string): Promise<void> {
  await em.query(
    em.handle.isDistributed
      ? `select pg_advisory_xact_lock_shared(${accountKey})`
      : 'select from users where id = $1 for share',
    [id],
  );
}

/** Locks the other accounts that have the address, in the order of their ids. */
export const lockHolders = (
  em: EntityManager,
  address: string,
  exceptId: string,
): Promise<{ id: string; isProven: boolean }[]> =>
  em.query(
    `select id, email_proven_at is not null as "isProven" from users
     where (lower(email) = lower($1) or lower(address) = lower($1)) and id <> $2 order by id for no key update`,
    [address, exceptId],
  );

/** Inserts the account. @returns False when its sign-in name is taken. */
export async function insertUnlessTaken(
  em: EntityManager,
  user: Pick<User, 'id' | 'email' | 'address' | 'displayName' | 'passwordHash' | 'managedBy'>,
): Promise<boolean> {
  const { id, email, address, displayName, passwordHash, managedBy } = user;
  const made = await em.query(
    `insert into users (id, email, address, display_name, password_hash, managed_by) values ($1, $2, $3, $4, $5, $6)
     on conflict (lower(email)) do nothing returning 1`,
    [id, email, address, displayName, passwordHash, managedBy],
  );
  return made.length > 0;
}

/** Schedules `settle` for the memberships of the users. */
export async function unsettleMembershipsOf(
  em: EntityManager,
  userIds: readonly string[],
): Promise<void> {
  await em.query(
    `insert into unsettled_members (organization_id, member_id, due_at)
     select organization_id, id, now() from organization_members where user_id = any($1)
     on conflict (organization_id, member_id) do update set due_at = excluded.due_at`,
    [userIds],
  );
}

interface SignInAccount {
  readonly id: string;
  readonly signInName: string;
  readonly hash: string | null;
}

/**
 * The active account with the sign-in name, or with the address among the given ones, which come
 * first.
 */
export async function findBySignInName(
  db: Database,
  name: string,
  userIds: readonly string[],
): Promise<SignInAccount | undefined> {
  const [user] = await db.query<SignInAccount>(
    `select id, password_hash as hash, email as "signInName" from users
     where status = 'active' and (lower(email) = lower($1) or (lower(address) = lower($1) and id = any($2)))
     order by id = any($2) desc, lower(email) = lower($1) desc limit 1`,
    [name, userIds],
  );
  return user;
}
