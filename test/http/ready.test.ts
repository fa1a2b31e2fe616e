/** Health checks, which anyone may ask for. */
import { send, startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { sentDuring } from '../support/sent.js';

const app = await startApp();

test('/readyz sends PostgreSQL one statement at a time, however many ask', async () => {
  await send(app.base, 'GET', '/readyz', {});
  const seen: number[] = [];
  // A busy machine spreads them over a longer time.
  for (let attempt = 0; attempt < 5 && !seen.some((pieces) => pieces <= 45); attempt++) {
    let statuses: number[] = [];
    seen.push(
      await sentDuring(app.url, async () => {
        const answers = await Promise.all(
          Array.from({ length: 60 }, () => send(app.base, 'GET', '/readyz', {})),
        );
        statuses = answers.map(({ status }) => status);
      }),
    );
    expect(new Set(statuses)).toStrictEqual(new Set([200]));
  }
  ensure(Math.min(...seen) <= 45, `${seen} pieces`);
});
