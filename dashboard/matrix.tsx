/** The readiness matrix: members and their qualifications. */
import { useRef } from 'preact/hooks';
import { moveFocus } from './grid.js';
import { Readiness, type ReadinessData } from './operations.js';
import { usePages } from './pages.js';
import { Answer, Card, Empty, Go } from './parts.js';
import { inWords, lookOf, Short, Sign } from './standing.js';
import type { View } from './view.js';

const noMembers = {
  inRole: 'No member has this job role.',
  inAll: 'This organization has no members who can be sent to work yet.',
};
const noQualifications = {
  inRole: 'This job role needs no qualifications yet: name them, or choose all job roles.',
  inAll: 'This organization has no qualifications yet: create the first, and say what it requires.',
};

export function Matrix({ organizationId, jobRoleId, day }: View) {
  const readiness = usePages(
    Readiness,
    { organizationId, jobRoleId, asOf: day },
    (data) => data.readiness.members.pageInfo.nextCursor,
  );
  return (
    <Card title="Readiness" aside={<Legend />}>
      <Answer of={readiness} lines={10}>
        {({ readiness: { memberCount, totals } }, pages) => {
          const members = pages.flatMap((page) => page.readiness.members.nodes);
          const empty =
            memberCount === 0 ? noMembers : totals.length === 0 ? noQualifications : undefined;
          if (empty) return <Empty>{jobRoleId ? empty.inRole : empty.inAll}</Empty>;
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

/** One tab stop; arrow keys move between cells, Enter opens one. */
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
