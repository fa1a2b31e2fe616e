/**
 * Redis, which counts requests for all servers together, is gone or silent. A limit is no reason to
 * refuse everyone.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '../support/database.js';
import { isInstalled } from '../support/installed.js';
import { startRedis } from '../support/redis.js';
import { openFleet } from './fleet.js';
import { Load } from './load.js';

const skip = !isInstalled('redis-server') && "needs Debian's redis-server";

(skip ? test.skip : test)(
  'Redis is silent, then killed, then back: every request is served, soon, and in the end they are counted together again',
  async () => {
    await using cleanup = new AsyncDisposableStack();
    const { url, drop } = await createDatabase();
    cleanup.defer(drop);
    await using redis = await startRedis();
    await using fleet = await openFleet(url, {
      environment: { REDIS_URL: redis.url, RATE_LIMIT_PER_MINUTE: '1000000' },
    });
    /** What a server says is left. */
    const left = async (base: string | undefined) => {
      const { headers } = await fetch(`${base}/v1/me`, {
        headers: { authorization: `Bearer ${fleet.token}` },
      });
      return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    };
    /** Whether a request to one server is one less that the other has left. */
    const isCountedTogether = async () => {
      const [one, other] = fleet.bases;
      const before = await left(one);
      await left(other);
      return before - (await left(one)) === 2;
    };
    expect(await isCountedTogether()).toBe(true);
    await Load.during(fleet, { limit: 3500 }, async ({ caller }) => {
      await delay(300);
      redis.child.kill('SIGSTOP');
      await delay(4000);
      redis.child.kill('SIGCONT');
      await redis.stop();
      await delay(300);
      expect(caller.counts['503']).toBeUndefined();
      cleanup.use(await startRedis(redis.port));
      await delay(500);
    });
    for (const started = performance.now(); !(await isCountedTogether()); ) {
      expect(performance.now() - started).toBeLessThan(5000); // counted apart
      await delay(50);
    }
  },
);
