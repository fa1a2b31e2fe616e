/** Transitions between an invitation and a membership of an account. */
import type { Database } from '../../database/connection.js';
import { type EntityManager, sql } from '../../database/entity-manager.js';
import { type Actor, type Change, recordChanges } from '../../database/record-changes.js';
import { Certification } from '../../entities/certification.js';
import { Invitation, UnsettledMember } from '../../entities/invitation.js';
import { OrganizationMember } from '../../entities/member.js';
import { User } from '../../entities/user.js';
import { ApiError } from '../../errors.js';
import {
  accountFacts,
  lockMembership,
  type MemberKey,
  recordsOfOthers,
  type StoredMember,
} from './membership-statements.js';

export type { MemberKey } from './membership-statements.js';

/** A person acting for themselves. */
export type Person = Actor & { readonly userId: string };

/** The change of a membership, and of its records, which reference the same person. */
async function changesOf(
  tx: Database,
  key: MemberKey,
  from: StoredMember,
  set: Partial<StoredMember>,
  reason?: string,
): Promise<Change[]> {
  const { organizationId, memberId } = key;
  const { userId } = { ...from, ...set };
  const records = await recordsOfOthers(tx, key, userId);
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
const lookAgain = (em: EntityManager, { organizationId, memberId }: MemberKey): Promise<unknown> =>
  em
    .createQueryBuilder(UnsettledMember)
    .insert({ organizationId, memberId, dueAt: sql`now() + interval '1 minute'` })
    .onConflict(['organizationId', 'memberId'])
    .merge(['dueAt'])
    .execute();

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
    const own = await accountFacts(tx, key.organizationId, actor.userId);
    if (own.isMember)
      throw new ApiError(
        'invalid_transition',
        'This account is a member of the organization already.',
      );
    const { organizationId, memberId } = key;
    await tx.em.nativeDelete(Invitation, { organizationId, memberId });
    await lookAgain(tx.em, key);
    const set: Partial<StoredMember> = {
      userId: actor.userId,
      status: 'active',
      ...(member.isPrimary === own.hasPrimary && { isPrimary: !own.hasPrimary }),
    };
    await recordChanges(tx, actor, await changesOf(tx, key, member, set));
  });

/** Ends the link of a member's invitation, if any. */
export async function withdrawInvitation(
  tx: Database,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<void> {
  await tx.em.nativeDelete(Invitation, { organizationId, memberId: id });
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
    const { organizationId, memberId } = key;
    const dueAt = { $lte: sql`now()` };
    await tx.em.nativeDelete(UnsettledMember, { organizationId, memberId, dueAt });
    if (!member) return;
    const isClosed = (await tx.em.count(User, closedAs(member.userId))) > 0;
    const status = member.status === 'active' ? 'invited' : member.status;
    const set = !isClosed
      ? {}
      : {
          userId: key.memberId,
          ...(status !== member.status && { status }),
          ...(member.isPrimary && { isPrimary: false }),
        };
    const reason = isClosed ? 'Another account proved the e-mail address.' : undefined;
    const changes = await changesOf(tx, key, member, set, reason);
    if (changes.length > 0)
      await recordChanges(tx, { userId: null, appId: null, requestId: null }, changes);
    // The next run sees writes that are still in progress.
    if (isClosed) await lookAgain(tx.em, key);
  });

/** The condition for a user that `proveAddress` of another account ended. */
const closedAs = (id: string) => ({ id, status: 'disabled' as const, email: id });

/** Memberships per call. */
const batch = 500;

/**
 * Settles the memberships that are due. Locked ones are left for the next call.
 * @param failed Called for each of those.
 */
export async function settleDue(db: Database, failed: (error: unknown) => void): Promise<void> {
  const isDue = { dueAt: { $lte: sql`now()` } };
  const due = await db.em.find(UnsettledMember, isDue, { orderBy: { dueAt: 'asc' }, limit: batch });
  for (const key of due) await settle(db, key).catch(failed);
}
