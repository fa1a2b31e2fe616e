import { randomUUIDv7 } from 'node:crypto';
import type { GraphQLResolveInfo } from 'graphql';
import type { Membership } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { type Change, recordChanges } from '../../database/record-changes.js';
import { invited, OrganizationMember } from '../../entities/member.js';
import { ApiError } from '../../errors.js';
import { actorOf, readingOf } from '../reads/records.js';
import { members } from './reads.js';
import type { OrganizationMemberCreate } from './type.js';

/**
 * Invites a person. Accounts are neither read nor written, so that the response does not reveal
 * whether the address has one.
 * @returns The fields of the new membership that `info` selects.
 */
export async function createMember(
  ctx: Context,
  info: GraphQLResolveInfo,
  membership: Membership,
  input: OrganizationMemberCreate,
): Promise<OrganizationMember | undefined> {
  const { organizationId } = membership;
  const role = input.role ?? 'member';
  if (role === 'admin' && membership.role !== 'admin')
    throw new ApiError('forbidden', 'Only an admin of the organization can appoint an admin.');
  const id = randomUUIDv7();
  const set = {
    ...invited(id),
    email: input.email,
    displayName: displayNameOf(input),
    firstName: input.firstName ?? '',
    lastName: input.lastName ?? '',
    externalId: input.externalId ?? '',
    role,
    isPrimary: input.isPrimary ?? false,
  };
  const add: Change = {
    organizationId,
    entity: OrganizationMember,
    key: { organizationId, id },
    set,
  };
  const [member] = await recordChanges<OrganizationMember>(
    ctx.db,
    actorOf(ctx),
    [add],
    readingOf(info, members),
  );
  return member;
}

const displayNameOf = ({
  displayName,
  firstName,
  lastName,
  email,
}: OrganizationMemberCreate): string =>
  displayName || [firstName, lastName].filter(Boolean).join(' ') || (email.split('@')[0] ?? email);
