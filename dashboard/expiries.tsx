/** Expiring records by week and in a list, and the qualifications that end with them. */
import { useAll } from './all.js';
import { Chart } from './chart.js';
import { type Week, weeksFrom } from './days.js';
import { formatDay, t } from './language.js';
import { Losses } from './losses.js';
import {
  type ExpiriesData,
  Expiries as ExpiriesOperation,
  ExpiryCounts,
  type ExpiryCountsVariables,
} from './operations.js';
import { usePages } from './pages.js';
import { Answer, Card, Go, Name, Print } from './parts.js';
import { place } from './place.js';
import { TableCard } from './table.js';
import type { View } from './view.js';

type Row = ExpiriesData['certifications']['nodes'][number];

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
      <Card
        title={isManager ? t.expiries.byWeek : t.expiries.ownByWeek}
        aside={
          <div class="tools">
            <Print />
          </div>
        }
      >
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
  const title = chosen
    ? t.expiries.endingFrom(formatDay(from), formatDay(until))
    : t.expiries.endingBy(formatDay(until));
  const expiries = useAll(
    ExpiriesOperation,
    [{ organizationId, jobRoleId, from, until }],
    (data) => data.certifications.pageInfo.nextCursor,
  );
  return (
    <TableCard
      title={title}
      aside={chosen && <Go to={{ week: '' }}>{t.expiries.allWeeks}</Go>}
      name={`${t.views.expiries} ${from} ${until}`}
      of={expiries}
      rows={(data) => data.certifications.nodes}
      keyOf={({ id }) => id}
      empty={t.expiries.none}
      columns={[
        {
          name: t.lastDay,
          class: 'day',
          text: ({ expiresOn }) => expiresOn ?? '',
          cell: ({ expiresOn }) => expiresOn && formatDay(expiresOn),
        },
        ...(isManager
          ? [
              {
                name: t.member,
                text: ({ organizationMember }: Row) => organizationMember.displayName,
                cell: ({ organizationMember }: Row) => <Name of={organizationMember} />,
              },
            ]
          : []),
        {
          name: t.certification,
          text: ({ certificationType }) => certificationType.title,
          cell: ({ certificationType }) => certificationType.title,
        },
        {
          name: t.issuer,
          class: 'extra',
          text: ({ issuerName }) => issuerName ?? '',
          cell: ({ issuerName }) => issuerName,
        },
      ]}
    />
  );
};
