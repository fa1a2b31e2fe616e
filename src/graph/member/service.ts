import { randomUUIDv7 } from 'node:crypto';
import type { GraphQLResolveInfo } from 'graphql';
import type { Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { type Change, write } from '../../database/journal.js';
import { OrganizationMember } from '../../entities/member.js';
import { canSignIn, User } from '../../entities/user.js';
import { ApiError } from '../../errors.js';
import { actorOf, refuseNull, writtenRecord } from '../records.js';
import { type MemberKey, members } from './reads.js';
import type { Member, OrganizationMemberCreate } from './type.js';

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
  const add: Change = { organizationId, entity: OrganizationMember, key: { organizationId, id: randomUUIDv7() }, set };
  const moved = isPrimary && current ? [unmark(current)] : [];
  const [member] = await write<Member>(ctx.db, actorOf(ctx), [...moved, add], writtenRecord(info, members));
  return member;
}

const displayNameOf = ({ displayName, firstName, lastName, email }: OrganizationMemberCreate): string =>
  displayName || [firstName, lastName].filter(Boolean).join(' ') || (email.split('@')[0] ?? email);

async function findOrInvite(ctx: Context, email: string, displayName: string): Promise<{ id: string; canSignIn: boolean }> {
  const id = randomUUIDv7();
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
