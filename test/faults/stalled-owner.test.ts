/**
 * A server stops in the middle of a write, holding a key and the clock of an organization, and
 * wakes up long after.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '../support/database.js';
import { ensure, fail } from '../support/expect.js';
import { skylineId, typeId } from '../support/names.js';
import { Caller } from './caller.js';
import { startFleet, testName } from './fleet.js';
import { Load } from './load.js';

const { url, drop } = await createDatabase();
afterAll(drop);
const fleet = await startFleet(url);
const [stalled, other] = fleet.servers;
ensure(stalled && other);

/** Lets a request come as far as the clock of the organization, and stops its server there. */
async function stallAtTick(send: () => Promise<unknown>): Promise<void> {
  await fleet.db.transaction(async (tx) => {
    await tx.query('select from organization_clocks where organization_id = $1 for update', [
      skylineId,
    ]);
    void send();
    const waiting = `select from pg_stat_activity where datname = current_database() and application_name <> '${testName}' and wait_event_type = 'Lock'`;
    while ((await tx.query(waiting)).length === 0) await delay(10);
    stalled?.child.kill('SIGSTOP');
  });
}

test('SIGSTOP of a server in mid-write: its key is in progress for ten seconds and then free; woken up, it writes nothing', async () => {
  const tag = randomUUID();
  const request = [
    'POST',
    '/v1/certifications',
    {
      body: { certification_type_id: typeId('rf-awareness'), serial_number: tag },
      headers: { 'idempotency-key': tag },
    },
  ] as const;
  const stored = () =>
    fleet.db.query<{ id: string }>('select id from certifications where serial_number = $1', [tag]);
  const owner = new Caller({ ...fleet, bases: [stalled.base] }, { limit: 40_000 });
  let lost: ReturnType<Caller['send']> | undefined;
  await stallAtTick(() => {
    lost = owner.send(...request);
    return lost;
  });

  const started = performance.now();
  const answering = { ...fleet, bases: [other.base] };
  const outcome = await Load.during(answering, { limit: 15_000, rest: 150 }, async () => {
    // Creates of the organization go in groups, and each group waits for the stalled clock for five
    // seconds.
    const caller = new Caller(answering, { limit: 12_000 });
    for (; performance.now() - started < 30_000; await delay(500)) {
      const reply = await caller.send(...request);
      expect(caller.broken).toEqual([]);
      if (reply?.status === 201)
        return {
          id: reply.body.data.id,
          after: performance.now() - started,
          refused: caller.counts['503'] ?? 0,
        };
      // Or the clock is still stalled for the group that the request is in.
      expect(['idempotency_in_progress', 'service_unavailable']).toContain(reply?.body.error.code);
    }
    return fail('the key stays in progress');
  });
  console.info(
    `the key was free after ${outcome.after.toFixed(0)} ms and ${outcome.refused} answers of 503`,
  );
  expect(outcome.after).toBeGreaterThan(5000);
  expect(outcome.after).toBeLessThan(20_000);
  expect(outcome.refused).toBeGreaterThan(0);

  stalled.child.kill('SIGCONT');
  expect((await lost)?.status).toBe(503);
  expect(await stored()).toStrictEqual([{ id: outcome.id }]);
  const woken = await owner.insist(...request);
  expect([woken?.body.data.id, woken?.isReplay]).toStrictEqual([outcome.id, true]);
});
