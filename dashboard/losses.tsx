/** The qualifications that members will lose. */
import { useAll } from './all.js';
import { formatDay, formatList, t } from './language.js';
import { Losses as LossesOperation } from './operations.js';
import { Go, Name } from './parts.js';
import { TableCard } from './table.js';
import type { View } from './view.js';

export function Losses({ organizationId, jobRoleId, day }: View) {
  const losses = useAll(
    LossesOperation,
    [{ organizationId, jobRoleId, asOf: day }],
    (data) => data.qualificationForecast.pageInfo.nextCursor,
  );
  return (
    <TableCard
      title={t.expiries.losses}
      name={`${t.expiries.losses} ${day}`}
      of={losses}
      rows={(data) => data.qualificationForecast.nodes}
      keyOf={({ organizationMember, qualification, lostOn }) =>
        `${organizationMember.id} ${qualification.id} ${lostOn}`
      }
      empty={t.expiries.noLosses}
      columns={[
        {
          name: t.expiries.lostOn,
          class: 'day',
          text: ({ lostOn }) => lostOn,
          cell: ({ lostOn }) => formatDay(lostOn),
        },
        {
          name: t.member,
          text: ({ organizationMember }) => organizationMember.displayName,
          cell: ({ organizationMember }) => <Name of={organizationMember} />,
        },
        {
          name: t.expiries.qualification,
          text: ({ qualification }) => qualification.name,
          cell: ({ organizationMember, qualification }) => (
            <Go
              to={{ member: organizationMember.id, qualification: qualification.id }}
              label={t.whyOf(`${organizationMember.displayName}, ${qualification.name}`)}
            >
              {qualification.name}
            </Go>
          ),
        },
        {
          name: t.expiries.renew,
          class: 'extra',
          text: ({ through }) => titlesOf(through),
          cell: ({ through }) => titlesOf(through),
        },
        {
          name: t.expiries.regained,
          class: 'extra day',
          text: ({ regainedOn }) => regainedOn ?? '',
          cell: ({ regainedOn }) => regainedOn && formatDay(regainedOn),
        },
      ]}
    />
  );
}

const titlesOf = (
  through: readonly { readonly certificationType: { readonly title: string } }[],
): string => formatList(through.map(({ certificationType }) => certificationType.title));
