/** The API's terms in plain words. */
import { formatDay, t } from './language.js';
import type { WhyData } from './operations.js';

type Result = WhyData['qualificationResult'];
type Requirement = Result['requirements'][number];
type Action = Result['actions'][number];

/** Why the best record does not meet a requirement. */
export const missOf = (reason: Requirement['reason'], day: string | null): string =>
  reason
    ? t.standing.misses[reason](day ? formatDay(day) : t.standing.unknownDay)
    : t.standing.unmet;

/** A record in one line. */
export const recordOf = ({
  serialNumber,
  issuerName,
  issuedOn,
  expiresOn,
  verificationStatus,
}: NonNullable<Requirement['certification']>): string =>
  [
    serialNumber && t.record.serial(serialNumber),
    issuerName,
    issuedOn && t.record.issued(formatDay(issuedOn)),
    expiresOn ? t.record.last(formatDay(expiresOn)) : t.record.noLast,
    t.record.verification[verificationStatus],
  ]
    .filter(Boolean)
    .join(' · ');

export const actionOf = ({ kind, certificationType, certification }: Action): string =>
  t.standing.actions[kind](
    certificationType.title +
      (certification?.serialNumber ? ` (${t.record.serial(certification.serialNumber)})` : ''),
  );
