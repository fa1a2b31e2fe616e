/** One of two servers is killed again and again; clients go on with the other. */
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '../support/database.js';
import { fail } from '../support/expect.js';
import { sized, startFleet } from './fleet.js';
import { Load } from './load.js';

const { url, drop } = await createDatabase();
afterAll(drop);
const fleet = await startFleet(url);

test('SIGKILL of one server after the other: nothing acknowledged is lost, nothing is there twice, and who follows misses nothing', async () => {
  const kills = sized(3, 50);
  await Load.during(fleet, { mayLose: 'any' }, async ({ caller }) => {
    for (let count = 0; count < kills; count++) {
      await delay(200);
      const victim = fleet.servers[count % 2] ?? fail();
      await caller.nextWrite(victim.base);
      victim.child.kill('SIGKILL');
      expect(await victim.ended).toBeNull();
      await fleet.restart(count % 2);
    }
  });
  console.info(`${kills} servers killed`);
});
