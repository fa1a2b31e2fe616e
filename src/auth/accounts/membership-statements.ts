/**
 * SQL about memberships that MikroORM's builder cannot express: the locks that precede the version
 * clock, null-safe comparisons, several facts in one statement, and indexed expressions.
 */
import type { Database } from '../../database/connection.js';
import { lockingFree, lockingOneFree } from '../../database/version-clock.js';
import type { MemberStatus } from '../../entities/member.js';

export interface MemberKey {
  readonly organizationId: string;
  readonly memberId: string;
}

export interface StoredMember {
  readonly userId: string;
  readonly email: string;
  readonly status: MemberStatus;
  readonly isPrimary: boolean;
}

/**
 * Locks the membership before the version clock, as every write does. Waits only briefly for
 * another transaction's lock, so that no request holds an organization's clock for long.
 */
export async function lockMembership(
  tx: Database,
  { organizationId, memberId }: MemberKey,
): Promise<StoredMember | undefined> {
  await tx.query(`set local lock_timeout = '2s'`);
  const [member] = await tx.query<StoredMember>(
    `select user_id as "userId", email, status, is_primary as "isPrimary" from organization_members
     where organization_id = $1 and id = $2 for no key update`,
    [organizationId, memberId],
  );
  return member;
}

/** The records of a member that reference another person, or none. */
export const recordsOfOthers = (
  tx: Database,
  { organizationId, memberId }: MemberKey,
  userId: string,
): Promise<{ id: string; userId: string | null }[]> =>
  tx.query(
    `select id, user_id as "userId" from certifications
     where organization_id = $1 and organization_member_id = $2 and user_id is distinct from $3 order by id`,
    [organizationId, memberId, userId],
  );

interface AccountFacts {
  /** Whether the account is a member of the organization. */
  readonly isMember: boolean;
  /** Whether it has a primary membership. */
  readonly hasPrimary: boolean;
}

export async function accountFacts(
  tx: Database,
  organizationId: string,
  userId: string,
): Promise<AccountFacts> {
  const [facts] = await tx.query<AccountFacts>(
    `select exists (select from organization_members where organization_id = $1 and user_id = $2) as "isMember",
       exists (select from organization_members where user_id = $2 and is_primary) as "hasPrimary"`,
    [organizationId, userId],
  );
  return facts ?? { isMember: false, hasPrimary: false };
}

/** Locks those of the memberships that are free, without waiting. @returns Their number. */
export async function lockFree(tx: Database, keys: readonly MemberKey[]): Promise<number> {
  const members = await tx.query(
    `select from organization_members m join unnest($1::uuid[], $2::uuid[]) as wanted (organization_id, id)
       on m.organization_id = wanted.organization_id and m.id = wanted.id
     order by m.organization_id for no key update of m skip locked`,
    [keys.map(({ organizationId }) => organizationId), keys.map(({ memberId }) => memberId)],
  );
  return members.length;
}

/** Locks those version clocks of the organizations that are free, without waiting. */
export async function lockFreeClocks(
  tx: Database,
  organizationIds: readonly string[],
): Promise<object[]> {
  if (!tx.isDistributed) return tx.query(lockingFree, [organizationIds]);
  // One statement locks rows of one node.
  const locked: object[] = [];
  for (const id of organizationIds) locked.push(...(await tx.query<object>(lockingOneFree, [id])));
  return locked;
}

export interface PendingInvitation extends MemberKey {
  readonly organizationName: string;
  readonly role: string;
  readonly createdAt: string;
}

/** The invitations to the proven address of an account; none when the address is not proven. */
export const listInvitations = (db: Database, userId: string): Promise<PendingInvitation[]> =>
  db.query<PendingInvitation>(
    `select m.organization_id as "organizationId", m.id as "memberId", o.name as "organizationName", m.role, m.created_at as "createdAt"
     from users u
     join organization_members m on lower(m.email) = lower(u.email) and m.status = 'invited'
     join organizations o on o.id = m.organization_id and o.status = 'active'
     where u.id = $1 and u.email_proven_at is not null
       and not exists (select from organization_members own where own.organization_id = m.organization_id and own.user_id = u.id)
     order by m.created_at, m.id limit 200`,
    [userId],
  );

/** The invitation of an organization to the proven address of an account. */
export async function findPending(
  db: Database,
  userId: string,
  organizationId: string,
): Promise<(MemberKey & { readonly email: string }) | undefined> {
  const [found] = await db.query<MemberKey & { email: string }>(
    `select m.organization_id as "organizationId", m.id as "memberId", m.email from users u
     join organization_members m on m.organization_id = $2 and lower(m.email) = lower(u.email) and m.status = 'invited'
     where u.id = $1 and u.email_proven_at is not null`,
    [userId, organizationId],
  );
  return found;
}
