import { setTimeout as delay } from 'node:timers/promises';
import { createLimiter, RateLimited } from '../../src/http/rate-limit.js';
import { openApp } from '../support/app.js';
import { isInstalled } from '../support/installed.js';
import { startRedis } from '../support/redis.js';

describe('rate limit', () => {
  test('429 once the caller has none left, with Retry-After and what is left; other callers go on', async () => {
    await using app = await openApp({ RATE_LIMIT_PER_MINUTE: '3' });
    const token = await app.token('manager@skyline.example');
    for (const left of [2, 1, 0]) {
      const { status, headers } = await app.rest('GET', '/v1/me', { token });
      expect(status).toBe(200);
      expect(headers.get('ratelimit') ?? '').toMatch(new RegExp(`^"caller";r=${left};t=\\d+$`));
      expect(headers.get('ratelimit-policy')).toBe('"caller";q=3;w=60');
    }
    const refused = await app.rest('GET', '/v1/me', { token });
    expect(refused.status).toBe(429);
    expect(refused.body.error.code).toBe('rate_limited');
    expect(refused.headers.get('retry-after') ?? '').toMatch(/^[1-9]\d?$/);
    expect(refused.headers.get('ratelimit') ?? '').toMatch(/r=0/);
    const twin = await app.graphql('{ me { user { id } } }', {}, { token });
    expect([twin.status, twin.body.errors[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    const other = await app.rest('GET', '/v1/me', {
      token: await app.token('climber@skyline.example'),
    });
    expect(other.status).toBe(200);
  });

  const skip = !isInstalled('redis-server') && "needs Debian's redis-server";
  (skip ? test.skip : test)(
    'processes count together in Redis, and each for itself while Redis is away',
    async () => {
      const { url, stop } = await startRedis();
      const [one, two] = await Promise.all([createLimiter(4, url), createLimiter(4, url)]);
      // Each is connected once the second of them sees what the first counted.
      for (let isTogether = false, turn = 0; !isTogether; turn++) {
        await one.count(`turn ${turn}`);
        isTogether = (await two.count(`turn ${turn}`)).RateLimit?.includes('r=2') === true;
        if (!isTogether) await delay(20);
      }
      for (const limiter of [one, two, one, two]) await limiter.count('somebody');
      await expect(one.count('somebody')).rejects.toThrow(RateLimited);
      await expect(two.count('somebody')).rejects.toThrow(RateLimited);
      await stop();
      await one.count('somebody');
      await Promise.all([one.close(), two.close()]);
    },
  );
});
