/** A server stops in the middle of a write, holding a key and the clock of an organization, and wakes up long after. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '../support/database.js';
import { skylineId, typeId } from '../support/names.js';
import { Caller } from './caller.js';
import { startFleet, testName } from './fleet.js';
import { Load } from './load.js';

const { url, drop } = await createDatabase();
after(drop);
const fleet = await startFleet(url);
const [stalled, other] = fleet.servers;
assert.ok(stalled && other);

/** Lets a request come as far as the clock of the organization, and stops its server there. */
async function stallAtTick(send: () => Promise<unknown>): Promise<void> {
  await fleet.db.transaction(async (tx) => {
    await tx.query('select from organization_clocks where organization_id = $1 for update', [skylineId]);
    void send();
    const waiting = `select from pg_stat_activity where datname = current_database() and application_name <> '${testName}' and wait_event_type = 'Lock'`;
    while ((await tx.query(waiting)).length === 0) await delay(10);
    stalled?.child.kill('SIGSTOP');
  });
}

test('SIGSTOP of a server in mid-write: its key is in progress for ten seconds and then free; woken up, it writes nothing', async (t) => {
  const tag = randomUUID();
  const request = [
    'POST',
    '/v1/certifications',
    {
      body: { certification_type_id: typeId('rf-awareness'), serial_number: tag },
      headers: { 'idempotency-key': tag },
    },
  ] as const;
  const stored = () => fleet.db.query<{ id: string }>('select id from certifications where serial_number = $1', [tag]);
  const owner = new Caller({ ...fleet, bases: [stalled.base] }, { limit: 40_000 });
  let lost: ReturnType<Caller['send']> | undefined;
  await stallAtTick(() => {
    lost = owner.send(...request);
    return lost;
  });

  const started = performance.now();
  const answering = { ...fleet, bases: [other.base] };
  const outcome = await Load.during(t, answering, { limit: 15_000, rest: 150 }, async () => {
    const caller = new Caller(answering, { limit: 3000 });
    for (; performance.now() - started < 20_000; await delay(500)) {
      const reply = await caller.send(...request);
      assert.deepEqual(caller.broken, []);
      if (reply?.status === 201) return { id: reply.body.data.id, after: performance.now() - started, refused: caller.counts['503'] ?? 0 };
      assert.equal(reply?.body.error.code, 'idempotency_in_progress');
    }
    return assert.fail('the key stays in progress');
  });
  t.diagnostic(`the key was free after ${outcome.after.toFixed(0)} ms and ${outcome.refused} answers of 503`);
  assert.ok(outcome.after > 5000 && outcome.after < 13_000 && outcome.refused > 5);

  stalled.child.kill('SIGCONT');
  assert.equal((await lost)?.status, 503);
  assert.deepEqual(await stored(), [{ id: outcome.id }]);
  const woken = await owner.insist(...request);
  assert.deepEqual([woken?.body.data.id, woken?.isReplay], [outcome.id, true]);
});
