/** The records of one page as a table. */
import type { Certification } from './operations.js';

interface Props {
  readonly records: readonly Certification[];
  /** The ids of records that have just changed. */
  readonly changed: ReadonlySet<string>;
  readonly isLoading: boolean;
}

export function CertificationTable({ records, changed, isLoading }: Props) {
  return (
    <table aria-busy={isLoading}>
      <caption className="hidden">Expiring certifications, by day</caption>
      <thead>
        <tr>
          <th scope="col">Member</th>
          <th scope="col">Certification</th>
          <th scope="col">Expires</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={record.id} className={changed.has(record.id) ? 'changed' : undefined}>
            <th scope="row">
              {record.organizationMember.displayName}
              <small>{record.organizationMember.email}</small>
            </th>
            <td>
              {record.certificationType.title}
              <small>
                {[record.issuerName, verification[record.verificationStatus]].join(' · ')}
              </small>
            </td>
            <td>
              <Expiry day={record.expiresOn} status={record.validityStatus} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const verification = {
  UNVERIFIED: 'not verified',
  PENDING: 'verification pending',
  VERIFIED: 'verified',
  FAILED: 'verification failed',
} as const;

/** Days have no time zone: formatted in UTC, they stay the same day everywhere. */
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
const distance = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

function Expiry({
  day,
  status,
}: {
  readonly day: string | null;
  readonly status: Certification['validityStatus'];
}) {
  if (day === null) return '–';
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  const days = Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000);
  return (
    <>
      <time dateTime={day}>{dayFormat.format(Date.parse(day))}</time>
      <small className={`badge ${status.toLowerCase()}`}>{distance.format(days, 'day')}</small>
    </>
  );
}
