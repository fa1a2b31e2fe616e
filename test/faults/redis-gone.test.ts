/** Redis, which counts requests for all servers together, is gone or silent. A limit is no reason to refuse everyone. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '../support/database.js';
import { isInstalled } from '../support/installed.js';
import { startRedis } from '../support/redis.js';
import { startFleet } from './fleet.js';
import { Load } from './load.js';

const skip = !isInstalled('redis-server') && "needs Debian's redis-server";

test('Redis is silent, then killed, then back: every request is served, soon, and in the end they are counted together again', {
  skip,
}, async (t) => {
  const { url, drop } = await createDatabase();
  after(drop);
  const redis = await startRedis();
  const fleet = await startFleet(url, { environment: { REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: '1000000' } });
  /** What the servers say is left, one after the other. */
  const left = () =>
    Promise.all(
      fleet.bases.map(async (base) => {
        const { headers } = await fetch(`${base}/v1/me`, { headers: { authorization: `Bearer ${fleet.token}` } });
        return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
      }),
    );
  const apart = async () => {
    const [one = 0, two = 0] = await left();
    return Math.abs(one - two);
  };
  assert.equal(await apart(), 1);
  await Load.during(t, fleet, { limit: 4000 }, async ({ caller }) => {
    await delay(500);
    redis.child.kill('SIGSTOP');
    await delay(5000);
    redis.child.kill('SIGCONT');
    await redis.stop();
    await delay(1000);
    assert.equal(caller.counts['503'], undefined);
    await startRedis(redis.port);
    await delay(2500);
  });
  assert.equal(await apart(), 1, 'counted together');
});
