/** Transitions between an invitation and a membership of an account. */
import type { Database } from '../../database/connection.js';
import { type Actor, type Change, recordChanges } from '../../database/record-changes.js';
import { Certification } from '../../entities/certification.js';
import { type MemberStatus, OrganizationMember } from '../../entities/member.js';
import { ApiError } from '../../errors.js';
import { isClosed } from './accounts.js';

export interface MemberKey {
  readonly organizationId: string;
  readonly memberId: string;
}

/** A person acting for themselves. */
export type Person = Actor & { readonly userId: string };

interface Stored {
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
): Promise<Stored | undefined> {
  await tx.query(`set local lock_timeout = '2s'`);
  const [member] = await tx.query<Stored>(
    `select user_id as "userId", email, status, is_primary as "isPrimary" from organization_members
     where organization_id = $1 and id = $2 for no key update`,
    [organizationId, memberId],
  );
  return member;
}

/** The change of a membership, and of its records, which reference the same person. */
async function changesOf(
  tx: Database,
  key: MemberKey,
  from: Stored,
  set: Partial<Stored>,
  reason?: string,
): Promise<Change[]> {
  const { organizationId, memberId } = key;
  const { userId } = { ...from, ...set };
  const records = await tx.query<{ id: string; userId: string | null }>(
    `select id, user_id as "userId" from certifications
     where organization_id = $1 and organization_member_id = $2 and user_id is distinct from $3 order by id`,
    [organizationId, memberId, userId],
  );
  const own: Change = {
    organizationId,
    entity: OrganizationMember,
    key: { organizationId, id: memberId },
    set,
    from: { ...from },
    reason,
  };
  return [
    ...(Object.keys(set).length > 0 ? [own] : []),
    ...records.map(
      ({ id, userId: before }): Change => ({
        organizationId,
        entity: Certification,
        key: { organizationId, id },
        set: { userId },
        from: { userId: before },
      }),
    ),
  ];
}

/** Schedules {@link settle} for the membership, after writes in progress have ended. */
const lookAgain = (tx: Database, { organizationId, memberId }: MemberKey): Promise<unknown> =>
  tx.query(
    `insert into unsettled_members (organization_id, member_id, due_at) values ($1, $2, now() + interval '1 minute')
     on conflict (organization_id, member_id) do update set due_at = excluded.due_at`,
    [organizationId, memberId],
  );

export const invitationEnded =
  'This invitation was used already, was withdrawn, or has expired. Ask for a new one.';

/**
 * Assigns an invited membership to an account. The first one that the person accepts is their
 * primary one.
 * @param email If given, the invitation must still be for this address.
 * @throws {ApiError} `not_found` when the membership is not invited (any more);
 * `invalid_transition` when the account is a member already.
 */
export const accept = (
  db: Database,
  actor: Person,
  key: MemberKey,
  email?: string,
): Promise<void> =>
  db.transaction(async (tx) => {
    const member = await lockMembership(tx, key);
    const isSame = email === undefined || member?.email.toLowerCase() === email.toLowerCase();
    if (member?.status !== 'invited' || !isSame) throw new ApiError('not_found', invitationEnded);
    const [own] = await tx.query<{ isMember: boolean; hasPrimary: boolean }>(
      `select exists (select from organization_members where organization_id = $1 and user_id = $2) as "isMember",
         exists (select from organization_members where user_id = $2 and is_primary) as "hasPrimary"`,
      [key.organizationId, actor.userId],
    );
    if (own?.isMember)
      throw new ApiError(
        'invalid_transition',
        'This account is a member of the organization already.',
      );
    await tx.query('delete from invitations where organization_id = $1 and member_id = $2', [
      key.organizationId,
      key.memberId,
    ]);
    await lookAgain(tx, key);
    const set: Partial<Stored> = {
      userId: actor.userId,
      status: 'active',
      ...(member.isPrimary === own?.hasPrimary && { isPrimary: !own.hasPrimary }),
    };
    await recordChanges(tx, actor, await changesOf(tx, key, member, set));
  });

/** Ends the link of a member's invitation, if any. */
export async function withdrawInvitation(
  tx: Database,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  await tx.query('delete from invitations where organization_id = $1 and member_id = $2', [
    organizationId,
    id,
  ]);
}

/**
 * Declines an invitation: the membership is suspended. Reinstating it invites the person again.
 * @throws {ApiError} `not_found`
 */
export const decline = (db: Database, actor: Actor, key: MemberKey, email: string): Promise<void> =>
  db.transaction(async (tx) => {
    const member = await lockMembership(tx, key);
    if (member?.status !== 'invited' || member.email.toLowerCase() !== email.toLowerCase())
      throw new ApiError('not_found', invitationEnded);
    await withdrawInvitation(tx, { organizationId: key.organizationId, id: key.memberId });
    await recordChanges(
      tx,
      actor,
      await changesOf(
        tx,
        key,
        member,
        { status: 'suspended' },
        'The person declined the invitation.',
      ),
    );
  });

/**
 * Returns the membership of a closed account to `invited`, and updates the records of a membership
 * to its person: a record that was written while the invitation was accepted references the
 * placeholder.
 */
export const settle = (db: Database, key: MemberKey): Promise<void> =>
  db.transaction(async (tx) => {
    const member = await lockMembership(tx, key);
    const values = [key.organizationId, key.memberId];
    await tx.query(
      'delete from unsettled_members where organization_id = $1 and member_id = $2 and due_at <= now()',
      values,
    );
    if (!member) return;
    const closed = await tx.query(`select from users u where u.id = $1 and ${isClosed('u')}`, [
      member.userId,
    ]);
    const status = member.status === 'active' ? 'invited' : member.status;
    const set =
      closed.length === 0
        ? {}
        : {
            userId: key.memberId,
            ...(status !== member.status && { status }),
            ...(member.isPrimary && { isPrimary: false }),
          };
    const reason = closed.length === 0 ? undefined : 'Another account proved the e-mail address.';
    const changes = await changesOf(tx, key, member, set, reason);
    if (changes.length > 0)
      await recordChanges(tx, { userId: null, appId: null, requestId: null }, changes);
    // The next run sees writes that are still in progress.
    if (closed.length > 0) await lookAgain(tx, key);
  });

/** Memberships per call. */
const batch = 500;

/**
 * Settles the memberships that are due. Locked ones are left for the next call.
 * @param failed Called for each of those.
 */
export async function settleDue(db: Database, failed: (error: unknown) => void): Promise<void> {
  const due = await db.query<MemberKey>(
    `select organization_id as "organizationId", member_id as "memberId" from unsettled_members where due_at <= now() order by due_at limit ${batch}`,
  );
  for (const key of due) await settle(db, key).catch(failed);
}
