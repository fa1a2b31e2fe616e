/** What happened to the certifications of the demo set. */
import { Certification, type LifecycleStatus } from '../entities/certification.js';
import { dayAfter } from '../scalars/day.js';
import { certificationRows } from './certifications.js';
import type { Author, Step, Subject } from './chronicle.js';
import { later, latest, minutes, momentOf } from './days.js';
import { holdings } from './holdings.js';
import { acceptedAt, officeOf } from './office.js';
import { persons } from './people.js';
import { memberRows } from './rows.js';

type CertificationRow = ReturnType<typeof certificationRows>[number];

/** Why a record is no longer active. */
export const endReasons: Readonly<Record<Exclude<LifecycleStatus, 'active'>, string>> = {
  revoked: 'The issuer withdrew the certificate after an audit of the course.',
  archived: 'A newer certificate replaces it.',
};

/** Each is entered, checked, and ended. */
export function certificationStory(day: string): Subject[] {
  const office = officeOf(day);
  const all = certificationRows(day);
  const accepted = new Map(
    memberRows(day).map((row, index) => [row.id, acceptedAt(row, persons[index]?.number ?? 0)]),
  );
  /** A record is entered after its holder has accepted the invitation. */
  const enteredAt = (row: CertificationRow): string =>
    latest(row.createdAt, later(accepted.get(row.organizationMemberId) ?? '', 20 * minutes));
  const current = new Map(
    all.flatMap((row, number) => (holdings[number]?.isPrevious ? [] : [[heldOf(row), row]])),
  );
  return all.map((row, number) => {
    const { organizationId, id, createdAt: _, ...stored } = row;
    const at = enteredAt(row);
    const entered = {
      ...stored,
      lifecycleStatus: 'active',
      verificationStatus: 'unverified',
      verificationMethod: null,
      lastVerifiedAt: null,
    };
    const steps: Step[] = [{ at, by: enteredBy(row, at, number), set: entered }];
    const check = checkOf(row, at, number);
    if (check) steps.push(check);
    const end = endOf(row, check?.at ?? at, number);
    if (end) steps.push(end);
    return { organizationId, entity: Certification, key: { organizationId, id }, steps };
  });

  function enteredBy(row: CertificationRow, at: string, number: number): Author {
    if (row.source === 'self-reported') return office.self(row.userId, at);
    return row.source === 'manual'
      ? office.by(row.organizationId, at, number)
      : office.integration(row.organizationId, at, number);
  }

  function checkOf(row: CertificationRow, entered: string, number: number): Step | undefined {
    const { organizationId, verificationStatus, verificationMethod, lastVerifiedAt } = row;
    if (verificationStatus === 'unverified') return undefined;
    const at = lastVerifiedAt ?? later(entered, 1440 * minutes);
    const by = office.by(organizationId, at, number);
    const isDecided = lastVerifiedAt !== null;
    return {
      at,
      by,
      set: { verificationStatus, ...(isDecided && { verificationMethod, lastVerifiedAt }) },
    };
  }

  /** A record is archived when its successor is entered, and revoked weeks after its last change. */
  function endOf(row: CertificationRow, last: string, number: number): Step | undefined {
    const { organizationId, lifecycleStatus } = row;
    if (lifecycleStatus === 'active') return undefined;
    const successor = current.get(heldOf(row));
    const weeks = later(last, (10 + ((number * 7) % 60)) * 1440 * minutes);
    const recent = momentOf(dayAfter(day, -1), number);
    const earliest = later(last, 12 * minutes);
    const at =
      lifecycleStatus === 'archived' && successor
        ? latest(earliest, later(enteredAt(successor), 12 * minutes))
        : latest(earliest, weeks < recent ? weeks : recent);
    return {
      at,
      by: office.by(organizationId, at, number),
      set: { lifecycleStatus },
      reason: endReasons[lifecycleStatus],
    };
  }
}

/** Equal for a record and its successor. */
const heldOf = (row: CertificationRow): string =>
  `${row.organizationMemberId}/${row.certificationTypeId}`;
