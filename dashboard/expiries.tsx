/** Expiring records by week and in a list, and the qualifications that end with them. */
import { Chart } from './chart.js';
import { longDay, shortDay, type Week, weeksFrom } from './days.js';
import { Losses } from './losses.js';
import {
  Expiries as ExpiriesOperation,
  ExpiryCounts,
  type ExpiryCountsVariables,
} from './operations.js';
import { usePages } from './pages.js';
import { Answer, Card, Empty, Go } from './parts.js';
import { place } from './place.js';
import type { View } from './view.js';

/** The variables `from0`, `until0` and so on, which the operation has for each week. */
const bounds = (weeks: readonly Week[]) =>
  Object.fromEntries(
    weeks.flatMap(({ from, until }, index) => [
      [`from${index}`, from],
      [`until${index}`, until],
    ]),
  );

export function Expiries(view: View) {
  const { organizationId, jobRoleId, day, isManager } = view;
  const weeks = weeksFrom(day);
  const counts = usePages(ExpiryCounts, {
    organizationId,
    jobRoleId,
    ...bounds(weeks),
  } as ExpiryCountsVariables);
  const chosen = weeks.find(({ from }) => from === place.value.week);
  return (
    <>
      <Card title={isManager ? 'Records that end, by week' : 'Your records that end, by week'}>
        <Answer of={counts} lines={6}>
          {(data) => (
            <Chart
              weeks={weeks.map((week, index) => ({ ...week, count: countOf(data, index) }))}
              chosen={chosen}
            />
          )}
        </Answer>
      </Card>
      <Ending {...view} weeks={weeks} chosen={chosen} />
      {isManager && <Losses {...view} />}
    </>
  );
}

const countOf = (
  data: Readonly<Record<string, { readonly totalCount: number }>>,
  index: number,
): number => data[`week${index}`]?.totalCount ?? 0;

const Ending = ({
  organizationId,
  jobRoleId,
  weeks,
  chosen,
  isManager,
}: View & { weeks: readonly Week[]; chosen: Week | undefined }) => {
  const [from = '', until = ''] = chosen
    ? [chosen.from, chosen.until]
    : [weeks[0]?.from, weeks.at(-1)?.until];
  const variables = { organizationId, jobRoleId, from, until };
  const expiries = usePages(
    ExpiriesOperation,
    variables,
    (data) => data.certifications.pageInfo.nextCursor,
  );
  return (
    <Card
      title={
        chosen ? `Ending from ${longDay(from)} to ${longDay(until)}` : `Ending by ${longDay(until)}`
      }
      aside={chosen && <Go to={{ week: '' }}>All weeks</Go>}
    >
      <Answer of={expiries}>
        {(_, pages) => {
          const nodes = pages.flatMap((page) => page.certifications.nodes);
          if (nodes.length === 0) return <Empty>No record expires in this period.</Empty>;
          return (
            <table class="list">
              <thead>
                <tr>
                  <th scope="col">Last day</th>
                  {isManager && <th scope="col">Member</th>}
                  <th scope="col">Certification</th>
                  <th scope="col" class="extra">
                    Issuer
                  </th>
                </tr>
              </thead>
              <tbody>
                {nodes.map(
                  ({ id, expiresOn, organizationMember, certificationType, issuerName }) => (
                    <tr key={id}>
                      <td class="day">{expiresOn && shortDay(expiresOn)}</td>
                      {isManager && <th scope="row">{organizationMember.displayName}</th>}
                      <td>{certificationType.title}</td>
                      <td class="extra muted">{issuerName}</td>
                    </tr>
                  ),
                )}
              </tbody>
            </table>
          );
        }}
      </Answer>
    </Card>
  );
};
