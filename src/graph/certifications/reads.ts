import type { GraphQLResolveInfo } from 'graphql';
import { type Access, isManager, type Membership, mayReachMember } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Certification } from '../../entities/certification.js';
import { CertificationType } from '../../entities/definition.js';
import { ApiError } from '../../errors.js';
import type { Connection, SyncArgs } from '../reads/connection.js';
import { readPage, readPageBelow } from '../reads/lists.js';
import { orderOf } from '../reads/order.js';
import { columnsOf, projectionOf } from '../reads/projection.js';
import { findRecord, readRecord } from '../reads/records.js';
import { branchOf, type CertificationFilters, orders } from './filters.js';

export const certifications = projectionOf(Certification, 'c', {
  derived: {
    validityStatus: ['issuedOn', 'expiresOn'],
    organizationMember: ['organizationMemberId'],
    history: ['organizationMemberId'],
  },
  joined: {
    certificationType: {
      join: 'join certification_types t on t.id = c.certification_type_id',
      columns: columnsOf(CertificationType, 't'),
    },
  },
  always: ['id', 'organizationId', 'updatedAt'],
});

type Page = Promise<Connection<Certification>>;

/**
 * The records of an organization that the caller can read: all for managers, otherwise the caller's
 * own.
 */
export function listCertifications(
  ctx: Context,
  info: GraphQLResolveInfo,
  membership: Membership,
  filters: CertificationFilters,
): Page {
  const { organizationMemberId = null, orderBy } = filters;
  if (organizationMemberId && !mayReachMember(membership, organizationMemberId))
    throw new ApiError('forbidden');
  const readable = {
    ...filters,
    organizationMemberId:
      organizationMemberId ?? (isManager(membership) ? null : membership.memberId),
  };
  const branch = branchOf(
    membership.organizationId,
    readable,
    ctx.today,
    ctx.config.EXPIRING_WINDOW_DAYS,
  );
  const list = {
    name: 'certifications',
    projection: certifications,
    branches: [branch],
    order: orderOf(orders, orderBy),
  };
  return readPage(ctx, info, list, filters);
}

/** The caller's own records in all organizations that approved the app. */
export function listMyCertifications(
  ctx: Context,
  info: GraphQLResolveInfo,
  caller: Access,
  args: SyncArgs,
): Page {
  const memberships = caller.organizations();
  const branches = memberships.map(({ organizationId, memberId }) => ({
    equals: { 'c.organization_id': organizationId, 'c.organization_member_id': memberId },
  }));
  const clocks =
    memberships.length > 1
      ? { clocks: { organizationIds: memberships.map(({ organizationId }) => organizationId) } }
      : {};
  const identity = [caller.principal.userId];
  return readPage(
    ctx,
    info,
    { name: 'myCertifications', projection: certifications, branches, identity, ...clocks },
    args,
  );
}

/** The records of an organization that the caller can read; batched. */
export function listCertificationsOf(
  ctx: Context,
  info: GraphQLResolveInfo,
  membership: Membership,
  args: SyncArgs,
): Page {
  const own = isManager(membership) ? {} : { 'c.organization_member_id': membership.memberId };
  const keys = { 'c.organization_id': membership.organizationId, ...own };
  return readPageBelow(
    ctx,
    info,
    { name: 'certifications', projection: certifications, keys },
    args,
  );
}

/** The records of one member; batched. */
export function listCertificationsOfMember(
  ctx: Context,
  info: GraphQLResolveInfo,
  organizationId: string,
  memberId: string,
  args: SyncArgs,
): Page {
  const keys = { 'c.organization_id': organizationId, 'c.organization_member_id': memberId };
  return readPageBelow(
    ctx,
    info,
    { name: 'certifications', projection: certifications, keys },
    args,
  );
}

export const readCertification = (
  ctx: Context,
  info: GraphQLResolveInfo,
  organizationId: string,
  id: string,
): Promise<Certification> =>
  readRecord(ctx, info, certifications, 'c.organization_id = $1 and c.id = $2', [
    organizationId,
    id,
  ]);

/**
 * The record with an external id, if the caller can read it.
 * @param externalSource The external system; null for a record without one.
 */
export function findCertification(
  ctx: Context,
  info: GraphQLResolveInfo,
  membership: Membership,
  externalId: string,
  externalSource: string | null,
): Promise<Certification | undefined> {
  const values = [membership.organizationId, externalId];
  const where = [
    'c.organization_id = $1 and c.external_id = $2',
    externalSource === null
      ? 'c.external_source is null'
      : `c.external_source = $${values.push(externalSource)}`,
  ];
  if (!isManager(membership))
    where.push(`c.organization_member_id = $${values.push(membership.memberId)}`);
  return findRecord(ctx, info, certifications, where.join(' and '), values);
}

/** One of the caller's own records. */
export async function readMyCertification(
  ctx: Context,
  info: GraphQLResolveInfo,
  caller: Access,
  id: string,
): Promise<Certification> {
  const memberships = caller.organizations();
  return readRecord(
    ctx,
    info,
    certifications,
    'c.organization_id = any($1) and c.id = $2 and c.organization_member_id = any($3)',
    [
      memberships.map(({ organizationId }) => organizationId),
      id,
      memberships.map(({ memberId }) => memberId),
    ],
  );
}
