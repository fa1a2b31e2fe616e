/** The certification records of the demo set as rows of their table, without `updatedAt`. */
import type { CertificationSource, ValidityStatus } from '../entities/certification.js';
import type { Dates } from '../rules/validity.js';
import { dayAfter, today } from '../scalars/day.js';
import { momentOf } from './days.js';
import { demoTypes } from './definitions.js';
import { type Holding, holdings } from './holdings.js';
import { demoId } from './ids.js';
import { joinedOn } from './people.js';
import { memberKey } from './rows.js';

/**
 * The issuer, where the type names only a kind of issuer. An employer is the organization itself.
 */
const issuers: Readonly<Record<string, string>> = {
  'training provider': 'Ridgeline Safety Training',
  'employer or provider': 'Ridgeline Safety Training',
  'OSHA-authorized trainer': 'Beacon Safety Institute',
  'Red Cross, AHA or HSI': 'American Red Cross',
  'medical examiner': 'Prairie Occupational Health',
  'GWO-certified provider': 'Northwind Training Center',
};

/** The systems that records were imported from. */
const systems: Partial<Record<CertificationSource, readonly [name: string, prefix: string]>> = {
  import: ['bamboo-hr', 'BHR'],
  api: ['lms', 'LMS'],
};

const methods: Readonly<Record<CertificationSource, string>> = {
  manual: 'document-review',
  'self-reported': 'document-review',
  import: 'issuer-registry',
  api: 'issuer-registry',
};

/** The validity that employers require where the type itself does not expire. */
const employersMonths = 60;

/** Days until a record expires, spread by a running number. */
const daysLeft: Readonly<
  Record<Exclude<ValidityStatus, 'unknown'>, (number: number, months: number) => number>
> = {
  valid: (number, months) => 120 + ((number * 53) % (months * 30 - 160)),
  expiring: (number) => 5 + ((number * 7) % 24),
  expired: (number) => -1 - ((number * 37) % 400),
};

function datesOf(validity: ValidityStatus, months: number, number: number, day: string): Dates {
  if (validity === 'unknown') return { issuedOn: null, expiresOn: null };
  if (validity === 'valid' && months === 0)
    return { issuedOn: dayAfter(day, -60 - ((number * 53) % 1200)), expiresOn: null };
  const term = months || employersMonths;
  const expiresOn = dayAfter(day, daysLeft[validity](number, term));
  return { issuedOn: monthsBefore(expiresOn, term), expiresOn };
}

function monthsBefore(day: string, months: number): string {
  const date = new Date(day);
  date.setUTCMonth(date.getUTCMonth() - months);
  return today(date.getTime());
}

function toRow(holding: Holding, number: number, day: string) {
  const { person, type: slug, source, validity, verification } = holding;
  const type = demoTypes.find((candidate) => candidate.slug === slug);
  const issuer = type?.issuer ?? '';
  const { organizationId, id: organizationMemberId } = memberKey(person);
  const [externalSource, prefix] = systems[source] ?? [null];
  const { issuedOn, expiresOn } = datesOf(validity, Number(type?.months), number, day);
  const joined = joinedOn(person, day);
  // Every fourth record was entered weeks after it was issued.
  const delay = number % 4 === 3 ? 14 + ((number * 11) % 60) : 0;
  const issuedOrJoined = issuedOn !== null && issuedOn > joined ? issuedOn : joined;
  const late = dayAfter(issuedOrJoined, delay);
  const enteredOn = late < dayAfter(day, -3) ? late : issuedOrJoined;
  const isDecided = verification === 'verified' || verification === 'failed';
  return {
    organizationId,
    id: demoId(
      'certification',
      `${person.organization.slug}/${person.email}/${slug}${holding.isPrevious ? '/previous' : ''}`,
    ),
    organizationMemberId,
    userId: demoId('user', person.email),
    externalId: prefix ? `${prefix}-${20_001 + number}` : null,
    externalSource,
    certificationTypeId: demoId('certification-type', slug),
    lifecycleStatus: holding.lifecycle,
    source,
    issuedOn,
    expiresOn,
    issuerName: issuer === 'employer' ? person.organization.name : (issuers[issuer] ?? issuer),
    serialNumber: issuedOn === null ? null : serialOf(slug, number),
    verificationStatus: verification,
    verificationMethod: isDecided ? methods[source] : null,
    lastVerifiedAt: isDecided ? momentOf(dayAfter(enteredOn, 2), number) : null,
    createdAt: momentOf(enteredOn, number),
  };
}

/** `nwsa-antenna-line` → `NAL-100037`. */
const serialOf = (slug: string, number: number): string =>
  `${slug.replace(/(\w)\w*-?/g, '$1').toUpperCase()}-${100_000 + number * 37}`;

/** @param first The running number of the first one. */
export const certificationRows = (day: string, held: readonly Holding[] = holdings, first = 0) =>
  held.map((holding, index) => toRow(holding, first + index, day));
