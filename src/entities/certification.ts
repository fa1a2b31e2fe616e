import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { dayAfter } from './day.js';

export const lifecycleStatuses = ['active', 'revoked', 'archived'] as const;
export const verificationStatuses = ['unverified', 'pending', 'verified', 'failed'] as const;
export const validityStatuses = ['valid', 'expiring', 'expired', 'unknown'] as const;
export const sources = ['manual', 'import', 'api', 'self-reported'] as const;

export type LifecycleStatus = (typeof lifecycleStatuses)[number];
export type VerificationStatus = (typeof verificationStatuses)[number];
export type ValidityStatus = (typeof validityStatuses)[number];
export type Source = (typeof sources)[number];

/** A record that a member holds a certification. */
@Entity({ tableName: 'certifications' })
export class Certification {
  @PrimaryKey({ type: 'uuid' }) organizationId!: string;
  @PrimaryKey({ type: 'uuid' }) id!: string;
  @Property({ type: 'uuid' }) organizationMemberId!: string;
  @Property({ type: 'uuid', nullable: true }) userId!: string | null;
  @Property({ type: 'text', nullable: true }) externalId!: string | null;
  @Property({ type: 'text', nullable: true }) externalSource!: string | null;
  @Property({ type: 'uuid' }) certificationTypeId!: string;
  @Property({ type: 'text' }) lifecycleStatus!: LifecycleStatus;
  @Property({ type: 'text' }) source!: Source;
  @Property({ type: 'string', columnType: 'date', nullable: true }) issuedOn!: string | null;
  @Property({ type: 'string', columnType: 'date', nullable: true }) expiresOn!: string | null;
  @Property({ type: 'text', nullable: true }) issuerName!: string | null;
  @Property({ type: 'text', nullable: true }) serialNumber!: string | null;
  @Property({ type: 'text' }) verificationStatus!: VerificationStatus;
  @Property({ type: 'text', nullable: true }) verificationMethod!: string | null;
  @Property({ type: 'string', columnType: 'timestamptz', nullable: true }) lastVerifiedAt!: string | null;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) updatedAt!: string;
}

export type Dates = Pick<Certification, 'issuedOn' | 'expiresOn'>;

/** The last day of a window, kept while it is asked for again and again, as it is in a list. */
let window = { day: '', days: 0, end: '' };

function windowEnd(day: string, days: number): string {
  if (window.day !== day || window.days !== days) window = { day, days, end: dayAfter(day, days) };
  return window.end;
}

/**
 * Validity on a day (`YYYY-MM-DD`, UTC). Derived, never stored.
 * @param windowDays How many days before its last day a record counts as expiring.
 */
export function validityOn(day: string, windowDays: number, { issuedOn, expiresOn }: Dates): ValidityStatus {
  if (expiresOn !== null) {
    if (expiresOn < day) return 'expired';
    return expiresOn <= windowEnd(day, windowDays) ? 'expiring' : 'valid';
  }
  return issuedOn !== null && issuedOn <= day ? 'valid' : 'unknown';
}

/** What an edit of these properties puts in doubt: the record must be verified anew. */
const verifiedProperties = ['issuedOn', 'expiresOn', 'issuerName', 'serialNumber', 'organizationMemberId', 'certificationTypeId'] as const;

/** The properties that an edit sets besides its own: a fresh verification when what was verified changes. */
export function verificationAfter(edit: Partial<Certification>): Partial<Certification> {
  return verifiedProperties.some((property) => property in edit)
    ? { verificationStatus: 'unverified', verificationMethod: null, lastVerifiedAt: null }
    : {};
}

export const datesInOrder = ({ issuedOn, expiresOn }: Dates): boolean => issuedOn === null || expiresOn === null || expiresOn >= issuedOn;
