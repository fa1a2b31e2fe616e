/**
 * Invitations: each belongs to one membership, and redeeming its link activates only that
 * membership.
 */
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/record-changes.js';
import { ApiError } from '../../errors.js';
import { recordEvent } from '../audit.js';
import { hashPassword } from '../password.js';
import { createAccount, lockAccount, proveAddress } from './accounts.js';
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
  db.transaction(async (tx) => {
    const { organizationId, memberId } = key;
    const secret = createSecret();
    const [member] = await tx.query<{ email: string; displayName: string; status: string }>(
      `select email, display_name as "displayName", status from organization_members where organization_id = $1 and id = $2 for no key update`,
      [organizationId, memberId],
    );
    if (!member) throw new ApiError('not_found');
    const { email, displayName, status } = member;
    if (status !== 'invited')
      throw new ApiError(
        'invalid_transition',
        'Only an invited member can get an invitation link.',
      );
    await tx.query(
      `insert into invitations (organization_id, member_id, secret_hash, email, sent_by, expires_at)
       values ($1, $2, $3, $4, $5, now() + $6::interval)
       on conflict (organization_id, member_id) do update
       set secret_hash = excluded.secret_hash, email = excluded.email, sent_by = excluded.sent_by, account_id = null, expires_at = excluded.expires_at`,
      [organizationId, memberId, hashSecret(secret), email, sentBy, invitationLifetime],
    );
    const event = {
      action: 'create_link',
      subjectType: 'Invitation',
      subjectId: memberId,
      organizationId,
    } as const;
    await recordEvent(tx, actor, { ...event, changes: { sentBy: [null, sentBy] } });
    return {
      purpose: 'invitation',
      url: `${config.BASE_URL}/portal/invitations/${secret}`,
      email,
      displayName,
    };
  });

export interface OpenInvitation extends MemberKey {
  readonly organizationName: string;
  readonly organizationSlug: string;
  readonly email: string;
  readonly displayName: string;
  readonly role: string;
  readonly isProof: boolean;
  /** The account that was created with the link, while its membership is not active. */
  readonly accountId: string | null;
  /**
   * For a link that proves the address: whether an account has proven it before. Other links must
   * not reveal this.
   */
  readonly hasAccount: boolean;
}

/**
 * The invitation of a link; undefined when the link is unknown, was used or withdrawn, or has
 * expired. A changed address withdraws it.
 */
export async function findInvitation(
  db: Database,
  secret: string,
): Promise<OpenInvitation | undefined> {
  const [invitation] = await db.query<OpenInvitation>(
    `select i.organization_id as "organizationId", i.member_id as "memberId", o.name as "organizationName", o.slug as "organizationSlug",
       i.email, m.display_name as "displayName", m.role, i.sent_by <> 'admin' as "isProof", i.account_id as "accountId",
       i.sent_by <> 'admin' and exists (
         select from users u where lower(u.email) = lower(i.email) and u.email_proven_at is not null) as "hasAccount"
     from invitations i
     join organization_members m on m.organization_id = i.organization_id and m.id = i.member_id
     join organizations o on o.id = i.organization_id and o.status = 'active'
     where i.secret_hash = $1 and i.expires_at > now() and m.status = 'invited' and lower(m.email) = lower(i.email)`,
    [hashSecret(secret)],
  );
  return invitation;
}

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
  const userId = await db.transaction(async (tx) => {
    const open = await tx.query(
      `select from invitations where secret_hash = $1 and account_id is null and expires_at > now() for update`,
      [hashSecret(secret)],
    );
    if (open.length === 0) throw new ApiError('not_found', invitationEnded);
    const organization = { id: organizationId, slug: organizationSlug };
    const id = await createAccount(tx, actorOf, {
      address: email,
      displayName,
      passwordHash,
      ...(!isProof && { organization }),
    });
    await tx.query('update invitations set account_id = $2 where secret_hash = $1', [
      hashSecret(secret),
      id,
    ]);
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
  const members = await db.query(
    'select from organization_members where organization_id = $1 and user_id = $2',
    [organizationId, person.userId],
  );
  if (members.length > 0)
    throw new ApiError('invalid_transition', 'You are a member of this organization already.');
  await leaveManagement(db, person, sessionId, organizationId, pair);
  if (isProof) {
    await db.transaction(async (tx) => {
      const { address, isProven } = await lockAccount(tx, person.userId);
      if (!isProven && address.toLowerCase() === email.toLowerCase())
        await proveAddress(tx, person, person.userId, address);
    });
  }
  await accept(db, person, invitation, email);
}
