/** The rules of changing who belongs to an organization. */
import type { Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { type Change, write } from '../../database/journal.js';
import { difference } from '../../entities/difference.js';
import { OrganizationMember } from '../../entities/member.js';
import { memberMoves, requireMove } from '../../entities/transitions.js';
import { canSignIn } from '../../entities/user.js';
import { ApiError, invalid } from '../../errors.js';
import { members } from '../member/reads.js';
import { movePrimary } from '../member/service.js';
import { actorOf, lockRecord, refuseNull, sent } from '../records.js';
import type { OrganizationMemberUpdate } from './type.js';

/**
 * Changes the properties that were sent; nothing at all when they are as they were.
 * @throws {ApiError} `forbidden`, when the change makes or unmakes an admin and the caller is none.
 */
export async function updateMember(ctx: Context, caller: Membership, id: string, input: OrganizationMemberUpdate): Promise<void> {
  refuseNull(input, 'email', 'displayName', 'role', 'isPrimary');
  const member = await lockMember(ctx, caller, id);
  const edit = Object.fromEntries(Object.entries(sent(input)).map(([name, value]) => [name, value ?? '']));
  const set = difference(edit, { ...member });
  if (Object.keys(set).length === 0) return;
  if (set.isPrimary === false) throw invalid({ isPrimary: ["can't be taken away: make another membership of the user primary instead"] });
  if (set.role === 'admin' || (set.role && member.role === 'admin')) requireAdmin(caller);
  if (set.role) await requireAnotherAdmin(ctx, member);
  const moved = set.isPrimary ? await movePrimary(ctx, member.userId) : [];
  await write(ctx.db, actorOf(ctx), [...moved, changeOf(member, set)]);
}

/**
 * Shuts a member out: from the next request on, the person reaches nothing here.
 * @throws {ApiError} `invalid_transition`, also for the last active admin; `forbidden` for an admin, when the caller is none.
 */
export async function suspendMember(ctx: Context, caller: Membership, id: string, reason: string | undefined): Promise<void> {
  const member = await lockMember(ctx, caller, id);
  requireMove(memberMoves, member.status, 'suspended');
  if (member.role === 'admin') requireAdmin(caller);
  await requireAnotherAdmin(ctx, member);
  await write(ctx.db, actorOf(ctx), [{ ...changeOf(member, { status: 'suspended' }), reason }]);
}

/**
 * Lets a suspended member in again: as active, or as invited when the person never signed in.
 * @throws {ApiError} `invalid_transition`; `forbidden` for an admin, when the caller is none.
 */
export async function reinstateMember(ctx: Context, caller: Membership, id: string, reason: string | undefined): Promise<void> {
  const member = await lockMember(ctx, caller, id);
  const status = (await isKnown(ctx, member.userId)) ? 'active' : 'invited';
  requireMove(memberMoves, member.status, status);
  if (member.role === 'admin') requireAdmin(caller);
  await write(ctx.db, actorOf(ctx), [{ ...changeOf(member, { status }), reason }]);
}

async function lockMember(ctx: Context, { organizationId }: Membership, id: string): Promise<OrganizationMember> {
  const member = await lockRecord<OrganizationMember>(ctx.db, members, 'm.organization_id = $1 and m.id = $2', [organizationId, id]);
  if (!member) throw new ApiError('not_found');
  return member;
}

const changeOf = (member: OrganizationMember, set: Record<string, unknown>): Change => {
  const { organizationId, id } = member;
  return { organizationId, entity: OrganizationMember, key: { organizationId, id }, set, from: { ...member } };
};

function requireAdmin({ role }: Membership): void {
  if (role !== 'admin') throw new ApiError('forbidden', 'Only an admin of the organization can make, change back or shut out an admin.');
}

/** Locks the active admins, so that two can't leave at once: without one, nobody could approve an app or make an admin. */
async function requireAnotherAdmin(ctx: Context, { organizationId, id, role, status }: OrganizationMember): Promise<void> {
  if (role !== 'admin' || status !== 'active') return;
  const others = await ctx.db.query(
    `select from organization_members m join users u on u.id = m.user_id and u.status = 'active'
     where m.organization_id = $1 and m.role = 'admin' and m.status = 'active' and m.id <> $2 order by m.id for no key update of m`,
    [organizationId, id],
  );
  if (others.length === 0)
    throw new ApiError('invalid_transition', 'This is the last active admin of the organization: make another first.');
}

async function isKnown(ctx: Context, userId: string): Promise<boolean> {
  const found = await ctx.db.query(`select from users u where u.id = $1 and ${canSignIn('u')}`, [userId]);
  return found.length > 0;
}
