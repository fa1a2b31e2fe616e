/** Columns by week. Each is a link whose name has all data, and a table shows the same. */
import { longDay, shortDay, type Week } from './days.js';
import { Go } from './parts.js';

export interface CountedWeek extends Week {
  readonly count: number;
}

const countOf = (count: number): string =>
  count === 0 ? 'no record ends' : count === 1 ? '1 record ends' : `${count} records end`;

export function Chart({
  weeks,
  chosen,
}: {
  weeks: readonly CountedWeek[];
  chosen: Week | undefined;
}) {
  const most = Math.max(1, ...weeks.map(({ count }) => count));
  const total = weeks.reduce((sum, { count }) => sum + count, 0);
  const busiest = weeks.find(({ count }) => count === most);
  return (
    <figure class="chart">
      <figcaption class="muted">
        In {weeks.length} weeks {countOf(total)}
        {busiest &&
          total > 0 &&
          `; most in the week from ${longDay(busiest.from)}: ${busiest.count}`}
        .
      </figcaption>
      <ol>
        {weeks.map(({ from, until, count }) => (
          <li key={from}>
            <Go
              to={{ week: chosen?.from === from ? '' : from }}
              current={chosen?.from === from}
              label={`${longDay(from)} to ${longDay(until)}: ${countOf(count)}`}
            >
              <span class="space">
                <span class="count">{count || ''}</span>
                <span class="column" style={{ height: `${(80 * count) / most}%` }} />
              </span>
              <span class="week">{shortDay(from)}</span>
            </Go>
          </li>
        ))}
      </ol>
      <details>
        <summary>The same as a table</summary>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">To</th>
              <th scope="col">Records that end</th>
            </tr>
          </thead>
          <tbody>
            {weeks.map(({ from, until, count }) => (
              <tr key={from}>
                <th scope="row">{longDay(from)}</th>
                <td>{longDay(until)}</td>
                <td>{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
