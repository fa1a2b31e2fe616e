/** The API's terms in plain words. */
import { longDay } from './days.js';
import type { WhyData } from './operations.js';

type Result = WhyData['qualificationResult'];
type Requirement = Result['requirements'][number];
type Action = Result['actions'][number];

const misses: Readonly<Record<NonNullable<Requirement['reason']>, (day: string) => string>> = {
  NONE_HELD: () => 'No record of this certification',
  EXPIRED: (day) => `Expired: the last day was ${day}`,
  ISSUED_IN_FUTURE: (day) => `Not issued yet: it begins on ${day}`,
  DATES_UNKNOWN: () => 'The record has neither a day of issue nor a last day',
  NOT_VERIFIED: () => 'Reported by the holder, and not verified by anyone',
  VERIFICATION_FAILED: () => 'The record could not be confirmed',
  ARCHIVED: () => 'The record is archived',
  REVOKED: () => 'The record was revoked',
};

/** Why the best record does not meet a requirement. */
export const missOf = (reason: Requirement['reason'], day: string | null): string =>
  reason ? misses[reason](day ? longDay(day) : 'an unknown day') : 'Not met';

/** A record in one line. */
export const recordOf = ({
  serialNumber,
  issuerName,
  issuedOn,
  expiresOn,
  verificationStatus,
}: NonNullable<Requirement['certification']>): string =>
  [
    serialNumber && `No. ${serialNumber}`,
    issuerName,
    issuedOn && `issued ${longDay(issuedOn)}`,
    expiresOn ? `last day ${longDay(expiresOn)}` : 'no last day',
    verificationStatus.toLowerCase(),
  ]
    .filter(Boolean)
    .join(' · ');

const actions: Readonly<Record<Action['kind'], (title: string) => string>> = {
  OBTAIN: (title) => `Obtain ${title}, and record the certificate`,
  RENEW: (title) => `Renew ${title}, and record the new certificate`,
  VERIFY: (title) => `Have the record of ${title} verified`,
  RESTORE: (title) => `Restore the archived record of ${title}`,
  ENTER_DATES: (title) => `Enter the dates of ${title}`,
};

export const actionOf = ({ kind, certificationType, certification }: Action): string =>
  actions[kind](
    certificationType.title +
      (certification?.serialNumber ? ` (No. ${certification.serialNumber})` : ''),
  );
