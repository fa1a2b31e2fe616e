/** Changes, suspends and reinstates members. */
import { withdrawInvitation } from '../../auth/accounts/memberships.js';
import type { Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { overtaken, pgError } from '../../database/failures.js';
import { type Change, recordChanges } from '../../database/record-changes.js';
import { OrganizationMember } from '../../entities/member.js';
import { canSignIn } from '../../entities/user.js';
import { ApiError, invalid } from '../../errors.js';
import { difference } from '../../rules/difference.js';
import { memberTransitions, requireTransition } from '../../rules/transitions.js';
import { requireVersion } from '../input/precondition.js';
import { members } from '../members/reads.js';
import { actorOf, lockRecord, sent } from '../reads/records.js';
import type { OrganizationMemberUpdate } from './type.js';

/**
 * Changes the given properties. Writes nothing if no value differs. `isPrimary: true` is ignored
 * when the person has another primary membership, because only the person can change it.
 * @throws {ApiError} `forbidden` when the change grants or removes the role `admin` and the caller
 * is not an admin.
 */
export async function updateMember(
  ctx: Context,
  caller: Membership,
  id: string,
  input: OrganizationMemberUpdate,
  ifUpdatedAt?: string | null,
): Promise<void> {
  const member = await lockMember(ctx, caller, id, ifUpdatedAt);
  const edit = Object.fromEntries(
    Object.entries(sent(input)).map(([name, value]) => [name, value ?? '']),
  );
  const { isPrimary, ...others } = difference(edit, { ...member });
  if (isPrimary === false && member.status !== 'invited')
    throw invalid({
      isPrimary: ['must not be false: only the person can change the primary membership'],
    });
  const isMarked =
    isPrimary !== undefined && (isPrimary === false || !(await hasPrimary(ctx, member)));
  const set: typeof others = { ...others, ...(isMarked && { isPrimary }) };
  if (Object.keys(set).length === 0) return;
  // The owner of the new address can accept the invitation.
  if (set.role === 'admin' || (member.role === 'admin' && (set.role || set.email)))
    requireAdmin(caller);
  if (set.role) await requireAnotherAdmin(ctx, member);
  if (set.email) await withdrawInvitation(ctx.db, member);
  await recordChanges(ctx.db, actorOf(ctx), [changeOf(member, set)]).catch((error: unknown) => {
    // The person concurrently chose another primary membership.
    throw pgError(error)?.constraint === 'organization_members_primary_key'
      ? overtaken(error)
      : error;
  });
}

/**
 * Whether the person has a primary membership. Takes no lock, because the row may belong to another
 * organization.
 */
async function hasPrimary(ctx: Context, { userId }: OrganizationMember): Promise<boolean> {
  const found = await ctx.db.query(
    'select from organization_members where user_id = $1 and is_primary',
    [userId],
  );
  return found.length > 0;
}

/**
 * Suspends a member. The membership grants no access from the next request on.
 * @throws {ApiError} `invalid_transition`, also for the last active admin; `forbidden` for an admin
 * when the caller is not one.
 */
export async function suspendMember(
  ctx: Context,
  caller: Membership,
  id: string,
  reason: string | undefined,
  ifUpdatedAt?: string | null,
): Promise<void> {
  const member = await lockMember(ctx, caller, id, ifUpdatedAt);
  requireTransition(memberTransitions, member.status, 'suspended');
  if (member.role === 'admin') requireAdmin(caller);
  await requireAnotherAdmin(ctx, member);
  await withdrawInvitation(ctx.db, member);
  await recordChanges(ctx.db, actorOf(ctx), [
    { ...changeOf(member, { status: 'suspended' }), reason },
  ]);
}

/**
 * Reinstates a suspended member as active, or as invited if the person never accepted.
 * @throws {ApiError} `invalid_transition`; `forbidden` for an admin when the caller is not one.
 */
export async function reinstateMember(
  ctx: Context,
  caller: Membership,
  id: string,
  reason: string | undefined,
  ifUpdatedAt?: string | null,
): Promise<void> {
  const member = await lockMember(ctx, caller, id, ifUpdatedAt);
  const status = (await hasAccepted(ctx, member)) ? 'active' : 'invited';
  requireTransition(memberTransitions, member.status, status);
  if (member.role === 'admin') requireAdmin(caller);
  await recordChanges(ctx.db, actorOf(ctx), [{ ...changeOf(member, { status }), reason }]);
}

async function lockMember(
  ctx: Context,
  { organizationId }: Membership,
  id: string,
  ifUpdatedAt: string | null | undefined,
): Promise<OrganizationMember> {
  const member = await lockRecord<OrganizationMember>(
    ctx.db,
    members,
    'm.organization_id = $1 and m.id = $2',
    [organizationId, id],
  );
  if (!member) throw new ApiError('not_found');
  requireVersion(ctx, member, ifUpdatedAt);
  return member;
}

const changeOf = (member: OrganizationMember, set: Record<string, unknown>): Change => {
  const { organizationId, id } = member;
  return {
    organizationId,
    entity: OrganizationMember,
    key: { organizationId, id },
    set,
    from: { ...member },
  };
};

function requireAdmin({ role }: Membership): void {
  if (role !== 'admin')
    throw new ApiError(
      'forbidden',
      'Only an admin of the organization can appoint, demote or suspend an admin.',
    );
}

/**
 * Locks the active admins, so that two cannot leave concurrently: without an admin, no app could be
 * approved and no admin appointed.
 */
async function requireAnotherAdmin(
  ctx: Context,
  { organizationId, id, role, status }: OrganizationMember,
): Promise<void> {
  if (role !== 'admin' || status !== 'active') return;
  const others = await ctx.db.query(
    `select from organization_members m join users u on u.id = m.user_id and u.status = 'active'
     where m.organization_id = $1 and m.role = 'admin' and m.status = 'active' and m.id <> $2 order by m.id for no key update of m`,
    [organizationId, id],
  );
  if (others.length === 0)
    throw new ApiError(
      'invalid_transition',
      'This is the last active admin of the organization: appoint another admin first.',
    );
}

/**
 * Whether the person accepted the invitation: the placeholder of an invited member is not a user
 * id.
 */
async function hasAccepted(ctx: Context, { userId }: OrganizationMember): Promise<boolean> {
  const found = await ctx.db.query(`select from users u where u.id = $1 and ${canSignIn('u')}`, [
    userId,
  ]);
  return found.length > 0;
}
