import type { GraphQLResolveInfo } from 'graphql';
import { v7 as uuidv7 } from 'uuid';
import type { Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { type Change, difference, write } from '../../database/journal.js';
import { MemberJobRole, OrganizationMember } from '../../entities/member.js';
import { canSignIn, User } from '../../entities/user.js';
import { ApiError } from '../../errors.js';
import { usable } from '../definition/reads.js';
import { actorOf, lockRecord, refuseNull, writtenRecord } from '../records.js';
import { assignments, members } from './reads.js';
import type { JobRoleAssign, Member, OrganizationMemberCreate } from './type.js';

/**
 * Adds the user with the e-mail address to the organization, or invites the person behind it.
 * @returns What `info` asks for of the new membership.
 */
export async function createMember(
  ctx: Context,
  info: GraphQLResolveInfo,
  membership: Membership,
  input: OrganizationMemberCreate,
): Promise<Member | undefined> {
  refuseNull(input, 'isPrimary');
  const { organizationId } = membership;
  const role = input.role ?? 'member';
  if (role === 'admin' && membership.role !== 'admin')
    throw new ApiError('forbidden', 'Only an admin of the organization can make another admin.');
  const user = await findOrInvite(ctx, input.email, displayNameOf(input));
  const current = await lockPrimary(ctx, user.id);
  const isPrimary = input.isPrimary || !current;
  const set = {
    userId: user.id,
    email: input.email,
    displayName: displayNameOf(input),
    firstName: input.firstName ?? '',
    lastName: input.lastName ?? '',
    externalId: input.externalId ?? '',
    role,
    status: user.canSignIn ? 'active' : 'invited',
    isPrimary,
  };
  const add: Change = { organizationId, entity: OrganizationMember, key: { organizationId, id: uuidv7() }, set };
  const moved = isPrimary && current ? [unmark(current)] : [];
  const [member] = await write<Member>(ctx.db, actorOf(ctx), [...moved, add], writtenRecord(info, members));
  return member;
}

const displayNameOf = ({ displayName, firstName, lastName, email }: OrganizationMemberCreate): string =>
  displayName || [firstName, lastName].filter(Boolean).join(' ') || (email.split('@')[0] ?? email);

async function findOrInvite(ctx: Context, email: string, displayName: string): Promise<{ id: string; canSignIn: boolean }> {
  const id = uuidv7();
  await ctx.db.query(`insert into users (id, email, display_name) values ($1, $2, $3) on conflict (lower(email)) do nothing`, [
    id,
    email,
    displayName,
  ]);
  const [user] = await ctx.db.query<{ id: string; canSignIn: boolean }>(
    `select u.id, ${canSignIn('u')} as "canSignIn" from users u where lower(u.email) = lower($1) for no key update of u`,
    [email],
  );
  if (!user) throw new Error(`${User.name} vanished between two statements of a transaction.`);
  return user;
}

/** The user's primary membership, locked; the lock on the user keeps others from making one meanwhile. */
async function lockPrimary(ctx: Context, userId: string): Promise<MemberKey | undefined> {
  const [row] = await ctx.db.query<MemberKey>(
    `select organization_id as "organizationId", id from organization_members where user_id = $1 and is_primary for no key update`,
    [userId],
  );
  return row;
}

interface MemberKey {
  readonly organizationId: string;
  readonly id: string;
}

const unmark = (key: MemberKey): Change => ({
  organizationId: key.organizationId,
  entity: OrganizationMember,
  key: { ...key },
  set: { isPrimary: false },
  from: { isPrimary: true },
});

/** Takes the mark of the main organization from whichever membership of the user has it; to be written before another gets it. */
export async function movePrimary(ctx: Context, userId: string): Promise<Change[]> {
  await ctx.db.query('select from users where id = $1 for no key update', [userId]);
  const current = await lockPrimary(ctx, userId);
  return current ? [unmark(current)] : [];
}

interface AssignmentKey {
  readonly organizationId: string;
  readonly organizationMemberId: string;
  readonly jobRoleId: string;
}

const whereKey = 'a.organization_id = $1 and a.organization_member_id = $2 and a.job_role_id = $3';

/**
 * Assigns a job role, or changes how it is assigned.
 * @throws {ApiError} `not_found` when the organization has no such member, or can't use such an active role.
 */
export async function assignJobRole(ctx: Context, key: AssignmentKey, input: JobRoleAssign): Promise<void> {
  refuseNull(input, 'isPrimary');
  const { organizationId } = key;
  await requireMemberAndRole(ctx, key);
  const stored = await lockRecord<MemberJobRole>(ctx.db, assignments, whereKey, Object.values(key));
  const change = { organizationId, entity: MemberJobRole };
  const wanted = { isPrimary: input.isPrimary ?? stored?.isPrimary ?? false };
  const set = stored ? difference(wanted, { ...stored }) : wanted;
  if (Object.keys(set).length === 0) return;
  const moved = set.isPrimary ? await otherPrimary(ctx, key) : [];
  await write(ctx.db, actorOf(ctx), [...moved, { ...change, key: { ...key }, set, ...(stored && { from: { ...stored } }) }]);
}

/** Takes the assignment away; there need not be one. */
export async function removeJobRole(ctx: Context, key: AssignmentKey): Promise<void> {
  const stored = await lockRecord<MemberJobRole>(ctx.db, assignments, whereKey, Object.values(key));
  if (!stored) return;
  const { organizationId } = key;
  await write(ctx.db, actorOf(ctx), [{ organizationId, entity: MemberJobRole, key: { ...key }, from: { ...stored } }]);
}

/** Locks the member, so that two roles can't become primary at once. */
async function requireMemberAndRole(ctx: Context, { organizationId, organizationMemberId, jobRoleId }: AssignmentKey): Promise<void> {
  const found = await ctx.db.query(
    `select 1 from organization_members m, job_roles d
     where m.organization_id = $1 and m.id = $2 and d.id = $3 and d.status = 'active' and ${usable('d', '$4')} for no key update of m`,
    [organizationId, organizationMemberId, jobRoleId, [organizationId]],
  );
  if (found.length === 0) throw new ApiError('not_found');
}

async function otherPrimary(ctx: Context, { organizationId, organizationMemberId, jobRoleId }: AssignmentKey): Promise<Change[]> {
  const rows = await ctx.db.query<{ jobRoleId: string }>(
    `select job_role_id as "jobRoleId" from member_job_roles
     where organization_id = $1 and organization_member_id = $2 and is_primary and job_role_id <> $3`,
    [organizationId, organizationMemberId, jobRoleId],
  );
  return rows.map((row) => ({
    organizationId,
    entity: MemberJobRole,
    key: { organizationId, organizationMemberId, ...row },
    set: { isPrimary: false },
    from: { isPrimary: true },
  }));
}
