/** The view of a member without a manager role: their own qualifications. */
import { Standing } from './operations.js';
import { usePages } from './pages.js';
import { Answer, Card, Empty, Go, Notice } from './parts.js';
import { inWords, lookOf, Sign } from './standing.js';
import type { View } from './view.js';

export function OwnStanding({ organizationId, memberId, day }: View) {
  const results = usePages(
    Standing,
    { organizationId, memberId, asOf: day },
    (data) => data.qualificationResults.pageInfo.nextCursor,
  );
  return (
    <>
      <Notice>
        You see only your own records. Admins and managers of the organization see those of the
        whole crew.
      </Notice>
      <Card title="Your qualifications">
        <Answer of={results}>
          {(_, pages) => {
            const nodes = pages
              .flatMap((page) => page.qualificationResults.nodes)
              .sort((one, other) => one.qualification.name.localeCompare(other.qualification.name));
            if (nodes.length === 0)
              return <Empty>The organization has no qualifications yet.</Empty>;
            return (
              <ul class="rows standing">
                {nodes.map((result) => (
                  <li key={result.qualificationId}>
                    <div>
                      <Sign look={lookOf(result, day)} />{' '}
                      <strong>{result.qualification.name}</strong>
                      <p class="muted small">{inWords(result)}</p>
                    </div>
                    <Go
                      to={{ member: memberId, qualification: result.qualificationId }}
                      class="button plain"
                      label={`Why? ${result.qualification.name}`}
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
    </>
  );
}
