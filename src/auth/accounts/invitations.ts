/**
 * Invitations: each belongs to one membership, and redeeming its link activates only that
 * membership.
 */
import { LockMode } from '@mikro-orm/core';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { sql } from '../../database/entity-manager.js';
import type { Actor } from '../../database/record-changes.js';
import { Invitation } from '../../entities/invitation.js';
import { OrganizationMember } from '../../entities/member.js';
import { ApiError } from '../../errors.js';
import { recordEvent } from '../audit.js';
import { hashPassword } from '../password.js';
import { createAccount, lockAccount, proveAddress } from './accounts.js';
import { findOpenInvitation, lockInvited, type OpenInvitation } from './invitation-statements.js';
import { leaveManagement, type PasswordPair } from './management.js';
import { accept, invitationEnded, type MemberKey, type Person } from './memberships.js';
import { requireGoodPassword } from './passwords.js';
import { createSecret, hashSecret } from './secrets.js';
import type { Proof } from './sign-in.js';

/** Lifetime of an invitation link. */
export const invitationLifetime = '7 days';

/** Who passes the link on. Opening it proves the address, unless an admin has seen it. */
export type Sender = 'mail' | 'operator' | 'admin';

export interface InvitationLink {
  readonly purpose: 'invitation';
  readonly url: string;
  readonly email: string;
  readonly displayName: string;
}

/**
 * Creates a link for an invited member; an earlier one ends. Only its hash is stored.
 * @throws {ApiError} `not_found`, or `invalid_transition` when the member is not invited.
 */
export const createInvitation = (
  db: Database,
  config: Config,
  actor: Actor,
  key: MemberKey,
  sentBy: Sender,
): Promise<InvitationLink> =>
  db.em.transactional(async (em) => {
    const { organizationId, memberId } = key;
    const secret = createSecret();
    const member = await lockInvited(em, key);
    if (!member) throw new ApiError('not_found');
    const { email, displayName, status } = member;
    if (status !== 'invited')
      throw new ApiError(
        'invalid_transition',
        'Only an invited member can get an invitation link.',
      );
    await em
      .createQueryBuilder(Invitation)
      .insert({
        organizationId,
        memberId,
        secretHash: hashSecret(secret),
        email,
        sentBy,
        accountId: null,
        expiresAt: sql`now() + ${invitationLifetime}::interval`,
      })
      .onConflict(['organizationId', 'memberId'])
      .merge()
      .execute();
    const event = {
      action: 'create_link',
      subjectType: 'Invitation',
      subjectId: memberId,
      organizationId,
    } as const;
    await recordEvent(em, actor, { ...event, changes: { sentBy: [null, sentBy] } });
    return {
      purpose: 'invitation',
      url: `${config.BASE_URL}/portal/invitations/${secret}`,
      email,
      displayName,
    };
  });

export type { OpenInvitation } from './invitation-statements.js';

/**
 * The invitation of a link; undefined when the link is unknown, was used or withdrawn, or has
 * expired. A changed address withdraws it.
 */
export const findInvitation = (db: Database, secret: string): Promise<OpenInvitation | undefined> =>
  findOpenInvitation(db, hashSecret(secret));

/** @throws {ApiError} `not_found` */
async function requireInvitation(db: Database, secret: string): Promise<OpenInvitation> {
  const invitation = await findInvitation(db, secret);
  if (!invitation) throw new ApiError('not_found', invitationEnded);
  return invitation;
}

/**
 * Creates an account with the link, and accepts with it. A short transaction of its own creates the
 * account and binds the link to it, because acceptance writes to the organization.
 * @throws {ApiError} `validation_error`; `not_found` when the link has ended; `conflict` when the
 * address has an account already.
 */
export async function acceptAsNew(
  db: Database,
  secret: string,
  password: string,
  repeated: string,
  requestId: string,
): Promise<Proof> {
  const invitation = await requireInvitation(db, secret);
  const { organizationId, organizationSlug, email, displayName, isProof } = invitation;
  if (invitation.accountId) throw new ApiError('not_found', invitationEnded);
  requireGoodPassword(password, repeated, email);
  const passwordHash = await hashPassword(password);
  const actorOf = (userId: string) => ({ userId, appId: null, requestId });
  const userId = await db.em.transactional(async (em) => {
    const open = await em.findOne(
      Invitation,
      { secretHash: hashSecret(secret), accountId: null, expiresAt: { $gt: sql`now()` } },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (!open) throw new ApiError('not_found', invitationEnded);
    const organization = { id: organizationId, slug: organizationSlug };
    const id = await createAccount(em, actorOf, {
      address: email,
      displayName,
      passwordHash,
      ...(!isProof && { organization }),
    });
    open.accountId = id;
    return id;
  });
  await accept(db, actorOf(userId), invitation, email);
  return { userId, method: 'link', passwordHash };
}

/**
 * Accepts with the signed-in account. A managed account ceases to be managed: its organization
 * could have set the password, so the person chooses a new one, and all earlier credentials end.
 * @throws {ApiError} `validation_error`; `not_found` when the link has ended; `invalid_transition`
 * when the account is a member already.
 */
export async function acceptSignedIn(
  db: Database,
  person: Person,
  sessionId: string,
  secret: string,
  pair: PasswordPair,
): Promise<void> {
  const invitation = await requireInvitation(db, secret);
  if (invitation.accountId && invitation.accountId !== person.userId)
    throw new ApiError('not_found', invitationEnded);
  const { organizationId, email, isProof } = invitation;
  const members = { organizationId, userId: person.userId };
  if ((await db.em.count(OrganizationMember, members)) > 0)
    throw new ApiError('invalid_transition', 'You are a member of this organization already.');
  await leaveManagement(db, person, sessionId, organizationId, pair);
  if (isProof) {
    await db.em.transactional(async (em) => {
      const { address, isProven } = await lockAccount(em, person.userId);
      if (!isProven && address.toLowerCase() === email.toLowerCase())
        await proveAddress(em, person, person.userId, address);
    });
  }
  await accept(db, person, invitation, email);
}
