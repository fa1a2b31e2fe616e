/** SIGTERM under load: whoever was taken in is answered. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '../support/database.js';
import { skylineId } from '../support/names.js';
import { openStream } from '../support/stream.js';
import { sized, startFleet } from './fleet.js';
import { Load } from './load.js';

const { url, drop } = await createDatabase();
after(drop);
const fleet = await startFleet(url);

test('round after round: no request is lost, what was answered is there, streams end cleanly, and the exit code is 0', async (t) => {
  const took: number[] = [];
  const { counts } = await Load.during(t, fleet, { mayLose: 'idle' }, async ({ caller }) => {
    for (let round = 0; round < sized(2, 10); round++) {
      const server = fleet.servers[round % 2] ?? assert.fail();
      const query = `subscription { changes(organizationId: "${skylineId}") { nodes { resourceId } } }`;
      const stream = await openStream(server.base, fleet.token, { query });
      assert.equal((await stream.next())?.event, 'next');
      await delay(300);
      const started = performance.now();
      server.child.kill('SIGTERM');
      while (await stream.next());
      assert.equal(await server.ended, 0);
      took.push(performance.now() - started);
      await fleet.restart(round % 2);
    }
    return caller;
  });
  // It takes a connection that rested, and a request within a millisecond: requests that were under way and are cut would be more.
  assert.ok((counts.idle ?? 0) <= 1, JSON.stringify(counts));
  t.diagnostic(`gone after ${took.map((each) => each.toFixed(0)).join(', ')} ms`);
});
