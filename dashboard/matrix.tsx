/** The readiness matrix: who is ready for what. */
import { useRef } from 'preact/hooks';
import { moveFocus } from './grid.js';
import { Readiness, type ReadinessData } from './operations.js';
import { usePages } from './pages.js';
import { Answer, Card, Empty, Go } from './parts.js';
import { inWords, lookOf, Short, Sign } from './standing.js';
import type { View } from './view.js';

export function Matrix({ organizationId, jobRoleId, day }: View) {
  const readiness = usePages(Readiness, { organizationId, jobRoleId, asOf: day }, (data) => data.readiness.members.pageInfo.nextCursor);
  return (
    <Card title="Readiness" aside={<Legend />}>
      <Answer of={readiness} lines={10}>
        {({ readiness: { memberCount, totals } }, pages) => {
          const members = pages.flatMap((page) => page.readiness.members.nodes);
          if (memberCount === 0) return <Empty>No member has this job role.</Empty>;
          if (totals.length === 0) return <Empty>This job role needs no qualifications yet: name them, or choose all job roles.</Empty>;
          return (
            <>
              <Grid day={day} totals={totals} members={members} memberCount={memberCount} />
              <p class="muted small" role="status">
                {members.length} of {memberCount} {memberCount === 1 ? 'member' : 'members'} shown
              </p>
            </>
          );
        }}
      </Answer>
    </Card>
  );
}

const Legend = () => (
  <ul class="legend" aria-label="Signs">
    <li>
      <Sign look="good" /> qualified until then
    </li>
    <li>
      <Sign look="warning" /> ends within 30 days
    </li>
    <li>
      <Sign look="bad" /> not qualified: requirements met, of all
    </li>
  </ul>
);

interface GridProps {
  readonly day: string;
  readonly totals: ReadinessData['readiness']['totals'];
  readonly members: ReadinessData['readiness']['members']['nodes'];
  readonly memberCount: number;
}

/** One stop for the Tab key; the arrow keys lead from cell to cell, Enter opens one. */
const Grid = ({ day, totals, members, memberCount }: GridProps) => {
  const table = useRef<HTMLTableElement>(null);
  return (
    <div class="scroller">
      <table
        class="matrix"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that is moved about in cell by cell is a grid
        role="grid"
        aria-label="Members and qualifications"
        ref={table}
        onKeyDown={(event) => moveFocus(event, table.current)}
      >
        <thead>
          <tr>
            <th scope="col">Member</th>
            {totals.map(({ qualification: { id, name } }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
          <tr class="totals">
            <th scope="row">Qualified, of {memberCount}</th>
            {totals.map(({ qualification: { id }, qualifiedCount }) => (
              <td key={id}>{qualifiedCount}</td>
            ))}
          </tr>
        </thead>
        <tbody>
          {members.map(({ organizationMember: { id, displayName }, cells }, row) => (
            <tr key={id}>
              <th scope="row">{displayName}</th>
              {cells.map((cell, column) => (
                <td key={cell.qualificationId}>
                  <Go
                    to={{ member: id, qualification: cell.qualificationId }}
                    class={`cell ${lookOf(cell, day)}`}
                    label={`${displayName}, ${totals[column]?.qualification.name}: ${inWords(cell)}`}
                    tabIndex={row === 0 && column === 0 ? 0 : -1}
                  >
                    <Short standing={cell} day={day} />
                  </Go>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
