/** Columns by week. Each is a link whose name has all data, and a table shows the same. */
import type { Week } from './days.js';
import { formatDay, t } from './language.js';
import { Go } from './parts.js';

export interface CountedWeek extends Week {
  readonly count: number;
}

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
        {t.expiries.summary(weeks.length, total)}
        {busiest && total > 0 && `; ${t.expiries.busiest(formatDay(busiest.from), busiest.count)}`}.
      </figcaption>
      <ol>
        {weeks.map(({ from, until, count }) => (
          <li key={from}>
            <Go
              to={{ week: chosen?.from === from ? '' : from }}
              current={chosen?.from === from}
              label={t.expiries.week(formatDay(from), formatDay(until), count)}
            >
              <span class="space">
                <span class="count">{count || ''}</span>
                <span class="column" style={{ height: `${(80 * count) / most}%` }} />
              </span>
              <span class="week">{formatDay(from)}</span>
            </Go>
          </li>
        ))}
      </ol>
      <details>
        <summary>{t.expiries.asTable}</summary>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">{t.expiries.from}</th>
              <th scope="col">{t.expiries.to}</th>
              <th scope="col">{t.expiries.records}</th>
            </tr>
          </thead>
          <tbody>
            {weeks.map(({ from, until, count }) => (
              <tr key={from}>
                <th scope="row">{formatDay(from)}</th>
                <td>{formatDay(until)}</td>
                <td>{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
