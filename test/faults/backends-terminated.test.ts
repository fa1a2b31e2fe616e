/** Backends die under load, more of them than the pools have connections. */
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '../support/database.js';
import { ensure } from '../support/expect.js';
import { sized, startFleet, testName } from './fleet.js';
import { Load } from './load.js';

const { url, drop } = await createDatabase();
afterAll(drop);
const poolSize = 4;
const fleet = await startFleet(url, {
  environment: { DATABASE_POOL_SIZE: String(poolSize) },
  size: 1,
});

/** Those of the servers. */
const backends = `from pg_stat_activity where datname = current_database() and application_name <> '${testName}'`;
const kill = `select pg_terminate_backend(pid) from (select pid ${backends} order by xact_start nulls last limit 1) victim`;

test('backends are terminated, three times as many as the pools have: 503 alone, and every connection is had again', async () => {
  const deaths = sized(3, 60) * poolSize;
  let killed = 0;
  await Load.during(fleet, {}, async () => {
    while (killed < deaths) {
      killed += (await fleet.db.query(kill)).length;
      await delay(40);
    }
    await delay(500);
    const [left] = await fleet.db.query<{ count: number }>(`select count(*) as count ${backends}`);
    ensure((left?.count ?? 0) <= poolSize, `${left?.count} connections`);
  });
  const answers = await Promise.all(
    fleet.bases.flatMap((base) =>
      Array.from(
        { length: 3 * poolSize },
        async () =>
          (await fetch(`${base}/v1/me`, { headers: { authorization: `Bearer ${fleet.token}` } }))
            .status,
      ),
    ),
  );
  expect(new Set(answers)).toStrictEqual(new Set([200]));
  console.info(`${killed} backends terminated`);
});
