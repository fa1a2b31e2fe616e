/** The qualifications that members will lose. */
import { longDay } from './days.js';
import { Losses as LossesOperation } from './operations.js';
import { usePages } from './pages.js';
import { Answer, Card, Empty, Go } from './parts.js';
import type { View } from './view.js';

export function Losses({ organizationId, jobRoleId, day }: View) {
  const losses = usePages(
    LossesOperation,
    { organizationId, jobRoleId, asOf: day },
    (data) => data.qualificationForecast.pageInfo.nextCursor,
  );
  return (
    <Card title="Qualifications lost within 13 weeks">
      <Answer of={losses}>
        {(_, pages) => {
          const nodes = pages.flatMap((page) => page.qualificationForecast.nodes);
          if (nodes.length === 0) return <Empty>No one loses a qualification.</Empty>;
          return (
            <ul class="rows">
              {nodes.map(({ lostOn, regainedOn, organizationMember, qualification, through }) => (
                <li key={`${organizationMember.id} ${qualification.id} ${lostOn}`}>
                  <div>
                    <strong>{organizationMember.displayName}</strong> is no longer qualified as{' '}
                    {qualification.name} from {longDay(lostOn)} on
                    <p class="muted small">
                      Renew{' '}
                      {through.map(({ certificationType }) => certificationType.title).join(', ')}
                      {regainedOn &&
                        `. Qualified again from ${longDay(regainedOn)} on, by a record that is there already`}
                    </p>
                  </div>
                  <Go
                    to={{ member: organizationMember.id, qualification: qualification.id }}
                    class="button plain"
                    label={`Why? ${organizationMember.displayName}, ${qualification.name}`}
                  >
                    Why?
                  </Go>
                </li>
              ))}
            </ul>
          );
        }}
      </Answer>
    </Card>
  );
}
