/** The records that no one has verified. */
import { useAll } from './all.js';
import { formatDay, t } from './language.js';
import { Unverified as UnverifiedOperation } from './operations.js';
import { Name } from './parts.js';
import { TableCard } from './table.js';
import type { View } from './view.js';

export function Unverified({ organizationId, jobRoleId, isManager, day }: View) {
  const records = useAll(
    UnverifiedOperation,
    [{ organizationId, jobRoleId }],
    (data) => data.certifications.pageInfo.nextCursor,
  );
  return (
    <TableCard
      title={t.unverified.title}
      {...(isManager && { lead: t.unverified.text })}
      name={`${t.unverified.title} ${day}`}
      of={records}
      rows={(data) => data.certifications.nodes}
      keyOf={({ id }) => id}
      empty={t.unverified.none}
      columns={[
        {
          name: t.member,
          text: ({ organizationMember }) => organizationMember.displayName,
          cell: ({ organizationMember }) => <Name of={organizationMember} />,
        },
        {
          name: t.certification,
          text: ({ certificationType }) => certificationType.title,
          cell: ({ certificationType, serialNumber, issuerName }) => (
            <>
              {certificationType.title}
              {/* The columns of these are left out on a phone. */}
              <span class="on-phone muted small">
                {[serialNumber && t.record.serial(serialNumber), issuerName]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </>
          ),
        },
        {
          name: t.person.source,
          class: 'extra',
          text: ({ source }) => t.record.source[source],
          cell: ({ source }) => t.record.source[source],
        },
        {
          name: t.person.serial,
          class: 'extra',
          text: ({ serialNumber }) => serialNumber ?? '',
          cell: ({ serialNumber }) => serialNumber,
        },
        {
          name: t.issuer,
          class: 'extra',
          text: ({ issuerName }) => issuerName ?? '',
          cell: ({ issuerName }) => issuerName,
        },
        {
          name: t.lastDay,
          class: 'extra day',
          text: ({ expiresOn }) => expiresOn ?? '',
          cell: ({ expiresOn }) => expiresOn && formatDay(expiresOn),
        },
        {
          name: t.unverified.since,
          class: 'extra day',
          text: ({ createdAt }) => createdAt.slice(0, 10),
          cell: ({ createdAt }) => formatDay(createdAt.slice(0, 10)),
        },
      ]}
    />
  );
}
