/** One of two servers is killed again and again; clients go on with the other. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '../support/database.js';
import { sized, startFleet } from './fleet.js';
import { Load } from './load.js';

const { url, drop } = await createDatabase();
after(drop);
const fleet = await startFleet(url);

test('SIGKILL of one server after the other: nothing acknowledged is lost, nothing is there twice, and who follows misses nothing', async (t) => {
  const kills = sized(3, 50);
  await Load.during(t, fleet, { mayLose: 'any' }, async ({ caller }) => {
    for (let count = 0; count < kills; count++) {
      await delay(200);
      const victim = fleet.servers[count % 2] ?? assert.fail();
      await caller.nextWrite(victim.base);
      victim.child.kill('SIGKILL');
      assert.equal(await victim.ended, null);
      await fleet.restart(count % 2);
    }
  });
  t.diagnostic(`${kills} servers killed`);
});
