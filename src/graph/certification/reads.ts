import type { GraphQLResolveInfo } from 'graphql';
import { type Access, isManager, type Membership, mayReachMember } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { ApiError } from '../../errors.js';
import type { Connection, SyncArgs } from '../connection.js';
import { readPage, readPageBelow } from '../lists.js';
import { orderOf } from '../order.js';
import { readRecord } from '../records.js';
import type { Source } from '../source.js';
import { armOf, type CertificationFilters, orders } from './filters.js';
import type { CertificationRecord } from './type.js';

export const certifications: Source = {
  from: 'certifications c',
  columns: {
    id: 'c.id',
    organizationId: 'c.organization_id',
    organizationMemberId: 'c.organization_member_id',
    userId: 'c.user_id',
    externalId: 'c.external_id',
    externalSource: 'c.external_source',
    certificationTypeId: 'c.certification_type_id',
    lifecycleStatus: 'c.lifecycle_status',
    source: 'c.source',
    issuedOn: 'c.issued_on',
    expiresOn: 'c.expires_on',
    issuerName: 'c.issuer_name',
    serialNumber: 'c.serial_number',
    verificationStatus: 'c.verification_status',
    verificationMethod: 'c.verification_method',
    lastVerifiedAt: 'c.last_verified_at',
    createdAt: 'c.created_at',
    updatedAt: 'c.updated_at',
  },
  derived: { validityStatus: ['issuedOn', 'expiresOn'], organizationMember: ['organizationMemberId'], history: ['organizationMemberId'] },
  joined: {
    certificationType: {
      join: 'join certification_types t on t.id = c.certification_type_id',
      columns: { id: 't.id', slug: 't.slug', title: 't.title', status: 't.status' },
    },
  },
  always: ['id', 'organizationId', 'updatedAt'],
};

type Page = Promise<Connection<CertificationRecord>>;

/** The records of an organization that the caller may read: all for its managers, else the caller's own. */
export function listCertifications(ctx: Context, info: GraphQLResolveInfo, membership: Membership, filters: CertificationFilters): Page {
  const { organizationMemberId = null, orderBy } = filters;
  if (organizationMemberId && !mayReachMember(membership, organizationMemberId)) throw new ApiError('forbidden');
  const readable = { ...filters, organizationMemberId: organizationMemberId ?? (isManager(membership) ? null : membership.memberId) };
  const arm = armOf(membership.organizationId, readable, ctx.today, ctx.config.EXPIRING_WINDOW_DAYS);
  const list = { name: 'certifications', source: certifications, arms: [arm], order: orderOf(orders, orderBy) };
  return readPage(ctx, info, list, filters);
}

/** The records of the caller, in all organizations where the app is approved. */
export function listMyCertifications(ctx: Context, info: GraphQLResolveInfo, caller: Access, args: SyncArgs): Page {
  const memberships = caller.organizations();
  const arms = memberships.map(({ organizationId, memberId }) => ({
    equals: { 'c.organization_id': organizationId, 'c.organization_member_id': memberId },
  }));
  const clocks = memberships.length > 1 ? { clocks: { organizationIds: memberships.map(({ organizationId }) => organizationId) } } : {};
  const identity = [caller.principal.userId];
  return readPage(ctx, info, { name: 'myCertifications', source: certifications, arms, identity, ...clocks }, args);
}

/** The records below an organization, as far as the caller may read them; batched. */
export function listCertificationsOf(ctx: Context, info: GraphQLResolveInfo, membership: Membership, args: SyncArgs): Page {
  const own = isManager(membership) ? {} : { 'c.organization_member_id': membership.memberId };
  const keys = { 'c.organization_id': membership.organizationId, ...own };
  return readPageBelow(ctx, info, { name: 'certifications', source: certifications, keys }, args);
}

/** The records of one member, below the member; batched. */
export function listCertificationsOfMember(
  ctx: Context,
  info: GraphQLResolveInfo,
  organizationId: string,
  memberId: string,
  args: SyncArgs,
): Page {
  const keys = { 'c.organization_id': organizationId, 'c.organization_member_id': memberId };
  return readPageBelow(ctx, info, { name: 'certifications', source: certifications, keys }, args);
}

export const readCertification = (
  ctx: Context,
  info: GraphQLResolveInfo,
  organizationId: string,
  id: string,
): Promise<CertificationRecord> => readRecord(ctx, info, certifications, 'c.organization_id = $1 and c.id = $2', [organizationId, id]);

/** A record of the caller. */
export async function readMyCertification(
  ctx: Context,
  info: GraphQLResolveInfo,
  caller: Access,
  id: string,
): Promise<CertificationRecord> {
  const memberships = caller.organizations();
  return readRecord(ctx, info, certifications, 'c.organization_id = any($1) and c.id = $2 and c.organization_member_id = any($3)', [
    memberships.map(({ organizationId }) => organizationId),
    id,
    memberships.map(({ memberId }) => memberId),
  ]);
}
