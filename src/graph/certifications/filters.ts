/** Filters and sort orders of certification lists. */
import { ArgsType, Field } from 'type-graphql';
import {
  LifecycleStatus,
  ValidityStatus,
  VerificationStatus,
} from '../../entities/certification.js';
import { dayAfter } from '../../scalars/day.js';
import { DateScalar, ExternalId, Text, UUID } from '../../scalars/scalars.js';
import { CertificationOrderField } from '../enums.js';
import { holdsJobRole } from '../members/filters.js';
import { SyncArgs } from '../reads/connection.js';
import { isInstant } from '../reads/cursor.js';
import { type Branch, type Condition, contains, type Order } from '../reads/keyset.js';
import { isDate, type OrderBy, orderByOf } from '../reads/order.js';

type OrderName = 'expires_on' | 'issued_on' | 'updated_at';

const CertificationOrder = orderByOf<OrderName>('CertificationOrder', CertificationOrderField);

@ArgsType()
export class CertificationFilters extends SyncArgs {
  @Field(() => UUID, { nullable: true, description: 'Returns only records of this member.' })
  organizationMemberId?: string | null;

  @Field(() => ExternalId, {
    nullable: true,
    description: 'Returns only records with exactly this external id.',
  })
  externalId?: string | null;

  @Field(() => ExternalId, {
    nullable: true,
    description: 'Returns only records of this external system.',
  })
  externalSource?: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'Returns only records of this certification type.',
  })
  certificationTypeId?: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'Returns only records of members with this job role.',
  })
  jobRoleId?: string | null;

  @Field(() => LifecycleStatus, {
    nullable: true,
    description: 'Returns only records in this lifecycle state.',
  })
  lifecycleStatus?: LifecycleStatus | null;

  @Field(() => VerificationStatus, {
    nullable: true,
    description: 'Returns only records with this verification status.',
  })
  verificationStatus?: VerificationStatus | null;

  @Field(() => ValidityStatus, {
    nullable: true,
    description: 'Returns only records with this validity on the day `asOf`.',
  })
  validityStatus?: ValidityStatus | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'The day (UTC) on which `validityStatus` is determined. Defaults to today.',
  })
  asOf?: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'Returns only records that expire on this day or later.',
  })
  expiresFrom?: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'Returns only records that expire on this day or earlier.',
  })
  expiresUntil?: string | null;

  @Field(() => Text, {
    nullable: true,
    description:
      "Returns only records that contain this text in the issuer's name, serial number, " +
      "external id or holder's name. Case-insensitive.",
  })
  q?: string | null;

  @Field(() => CertificationOrder, {
    nullable: true,
    description: 'The order of the list. Defaults to the oldest change first.',
  })
  orderBy?: OrderBy<OrderName> | null;
}

/**
 * Expressions of the indexes. Records without a last day sort last, records without a day of issue
 * sort first.
 */
const ends = "coalesce(c.expires_on, 'infinity')";
const begins = "coalesce(c.issued_on, '-infinity')";

export const orders: Readonly<Record<OrderName, Omit<Order, 'isDescending'>>> = {
  expires_on: { by: ends, isPlace: isDate },
  issued_on: { by: begins, isPlace: isDate },
  updated_at: { by: 'c.updated_at', isPlace: isInstant },
};

/** `validityOn` as index ranges. */
function hasValidity(status: ValidityStatus, day: string, windowDays: number): Condition {
  const lastOfWindow = dayAfter(day, windowDays);
  switch (status) {
    case 'expired':
      return [`${ends} < ?`, day];
    case 'expiring':
      return [`${ends} between ? and ?`, day, lastOfWindow];
    case 'valid':
      return [`${ends} > ? and (c.expires_on is not null or c.issued_on <= ?)`, lastOfWindow, day];
    case 'unknown':
      return [`${ends} = 'infinity' and (c.issued_on is null or c.issued_on > ?)`, day];
  }
}

/** A subquery finds the holders once instead of once per record. */
function hasText(organizationId: string, q: string): Condition {
  const [inRecord, term] = contains(
    "concat_ws(' ', c.issuer_name, c.serial_number, c.external_id)",
    q,
  );
  const [inName] = contains("concat_ws(' ', h.display_name, h.first_name, h.last_name)", q);
  const holders = `select h.id from organization_members h where h.organization_id = ? and ${inName}`;
  return [`(${inRecord} or c.organization_member_id in (${holders}))`, term, organizationId, term];
}

/** @param windowDays See `validityOn`. */
export function branchOf(
  organizationId: string,
  filters: CertificationFilters,
  today: string,
  windowDays: number,
): Branch {
  const { jobRoleId, validityStatus, asOf, expiresFrom, expiresUntil, q } = filters;
  const where: Condition[] = [];
  if (jobRoleId)
    where.push(holdsJobRole('c.organization_id', 'c.organization_member_id', jobRoleId));
  if (validityStatus) where.push(hasValidity(validityStatus, asOf ?? today, windowDays));
  if (expiresFrom) where.push([`${ends} >= ? and c.expires_on is not null`, expiresFrom]);
  if (expiresUntil) where.push([`${ends} <= ?`, expiresUntil]);
  if (q) where.push(hasText(organizationId, q));
  return {
    equals: {
      'c.organization_id': organizationId,
      'c.organization_member_id': filters.organizationMemberId,
      'c.external_id': filters.externalId,
      'c.external_source': filters.externalSource,
      'c.certification_type_id': filters.certificationTypeId,
      'c.lifecycle_status': filters.lifecycleStatus,
      'c.verification_status': filters.verificationStatus,
    },
    where,
  };
}
