/** Validity by dates, and what an edit does to the verification. */
import type { Certification, ValidityStatus } from '../entities/certification.js';
import { dayAfter } from '../scalars/day.js';

export type Dates = Pick<Certification, 'issuedOn' | 'expiresOn'>;

/** Memoized end of the last window, because a list computes it for every record. */
let window = { day: '', days: 0, end: '' };

function windowEnd(day: string, days: number): string {
  if (window.day !== day || window.days !== days) window = { day, days, end: dayAfter(day, days) };
  return window.end;
}

/**
 * Validity on a day (`YYYY-MM-DD`, UTC). Derived, never stored.
 * @param windowDays Number of days before its last day on which a record counts as expiring.
 */
export function validityOn(
  day: string,
  windowDays: number,
  { issuedOn, expiresOn }: Dates,
): ValidityStatus {
  if (expiresOn !== null) {
    if (expiresOn < day) return 'expired';
    return expiresOn <= windowEnd(day, windowDays) ? 'expiring' : 'valid';
  }
  return issuedOn !== null && issuedOn <= day ? 'valid' : 'unknown';
}

/** The properties printed on the certificate. */
export const certificateProperties = [
  'issuedOn',
  'expiresOn',
  'issuerName',
  'serialNumber',
] as const;

/** Default certificate properties of a new record. */
export const emptyCertificate: Readonly<Record<string, null>> = Object.fromEntries(
  certificateProperties.map((name) => [name, null]),
);

/** A change of these properties resets the verification. */
const verifiedProperties = [
  ...certificateProperties,
  'organizationMemberId',
  'certificationTypeId',
] as const;

/**
 * The additional properties that an edit sets: reset verification when a verified property changes.
 */
export function verificationAfter(edit: Partial<Certification>): Partial<Certification> {
  return verifiedProperties.some((property) => property in edit)
    ? { verificationStatus: 'unverified', verificationMethod: null, lastVerifiedAt: null }
    : {};
}

export const datesInOrder = ({ issuedOn, expiresOn }: Dates): boolean =>
  issuedOn === null || expiresOn === null || expiresOn >= issuedOn;
