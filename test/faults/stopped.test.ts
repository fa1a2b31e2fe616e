/** SIGTERM under load: whoever was taken in is answered. */
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '../support/database.js';
import { ensure, fail } from '../support/expect.js';
import { skylineId } from '../support/names.js';
import { openStream } from '../support/stream.js';
import { sized, startFleet } from './fleet.js';
import { Load } from './load.js';

const { url, drop } = await createDatabase();
afterAll(drop);
const fleet = await startFleet(url);

test('round after round: no request is lost, what was answered is there, streams end cleanly, and the exit code is 0', async () => {
  const took: number[] = [];
  const { counts } = await Load.during(fleet, { mayLose: 'idle' }, async ({ caller }) => {
    for (let round = 0; round < sized(2, 10); round++) {
      const server = fleet.servers[round % 2] ?? fail();
      const query = `subscription { changes(organizationId: "${skylineId}") { nodes { resourceId } } }`;
      const stream = await openStream(server.base, fleet.token, { query });
      expect((await stream.next())?.event).toBe('next');
      await delay(300);
      const started = performance.now();
      server.child.kill('SIGTERM');
      while (await stream.next());
      expect(await server.ended).toBe(0);
      took.push(performance.now() - started);
      await fleet.restart(round % 2);
    }
    return caller;
  });
  // It takes a connection that rested, and a request within a millisecond: requests that were under
  // way and are cut would be more.
  ensure((counts.idle ?? 0) <= 1, JSON.stringify(counts));
  console.info(`gone after ${took.map((each) => each.toFixed(0)).join(', ')} ms`);
});
