/** On a cluster, each statement of a REST request is run by one node, in one task. */
import { Database } from '../../src/database/connection.js';
import { distributedTables } from '../../src/database/placements.js';
import { startApp } from '../support/app.js';
import { addressOf, type Sample, samples } from '../support/cases.js';
import { ensure } from '../support/expect.js';

const app = await startApp();

type Sent = readonly [text: string, values: readonly unknown[]];

/** All statements that this process sends while `work` runs. */
async function sentDuring(work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const { query, prepend, append } = Database.prototype;
  Object.assign(Database.prototype, {
    query(this: Database, ...given: Parameters<typeof query>) {
      sent.push([given[0], given[1] ?? []]);
      return query.apply(this, given);
    },
    prepend(this: Database, ...given: Parameters<typeof prepend>) {
      sent.push(given[0]);
      return prepend.apply(this, given);
    },
    append(this: Database, ...given: Parameters<typeof append>) {
      sent.push(given[0]);
      return append.apply(this, given);
    },
  });
  try {
    await work();
  } finally {
    Object.assign(Database.prototype, { query, prepend, append });
  }
  return sent;
}

const isDistributed = ([text]: Sent) => distributedTables.some((table) => text.includes(table));

const send = async (sample: Sample) => {
  const { status } = await app.rest(sample.endpoint.route.method, addressOf(sample), {
    token: await app.token(sample.who),
    body: sample.body?.(),
    headers: sample.body ? { 'idempotency-key': crypto.randomUUID() } : {},
  });
  ensure(status < 300, `${sample.title}: ${status}`);
};

/** The numbers of tasks in the plan of a statement. */
async function tasksOf([text, values]: Sent): Promise<number[]> {
  const lines = await app.db.query<Record<string, string>>(`explain ${text}`, values);
  const plan = lines.flatMap((line) => Object.values(line)).join('\n');
  return [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
}

for (const sample of samples) {
  test(`${sample.title} is run in one task`, async () => {
    const statements = (await sentDuring(() => send(sample))).filter(isDistributed);
    for (const statement of statements) {
      const tasks = await tasksOf(statement);
      expect([statement[0], ...tasks]).toStrictEqual([statement[0], 1]);
    }
  });
}

test('a statement over several organizations takes several tasks', async () => {
  const all = await tasksOf(['select count(*) from certifications', []]);
  expect(all[0]).toBeGreaterThan(1);
});
