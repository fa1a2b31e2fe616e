import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLimiter, RateLimited } from '../../src/edge/limiter.js';
import { startApp } from '../support/app.js';
import { isInstalled } from '../support/installed.js';
import { startRedis } from '../support/redis.js';

describe('rate limit', () => {
  test('429 once the caller has none left, with Retry-After and what is left; other callers go on', async () => {
    const app = await startApp({ RATE_LIMIT_PER_MINUTE: '3' });
    const token = await app.token('manager@skyline.example');
    for (const left of [2, 1, 0]) {
      const { status, headers } = await app.rest('GET', '/v1/me', { token });
      assert.equal(status, 200);
      assert.match(headers.get('ratelimit') ?? '', new RegExp(`^"caller";r=${left};t=\\d+$`));
      assert.equal(headers.get('ratelimit-policy'), '"caller";q=3;w=60');
    }
    const refused = await app.rest('GET', '/v1/me', { token });
    assert.equal(refused.status, 429);
    assert.equal(refused.body.error.code, 'rate_limited');
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/);
    assert.match(refused.headers.get('ratelimit') ?? '', /r=0/);
    const twin = await app.graphql('{ me { user { id } } }', {}, { token });
    assert.deepEqual([twin.status, twin.body.errors[0].extensions.code], [429, 'RATE_LIMITED']);
    const other = await app.rest('GET', '/v1/me', { token: await app.token('climber@skyline.example') });
    assert.equal(other.status, 200);
  });

  const skip = !isInstalled('redis-server') && "needs Debian's redis-server";
  test('processes count together in Redis, and each for itself while Redis is away', { skip }, async () => {
    const { url, stop } = await startRedis();
    const [one, two] = await Promise.all([createLimiter(4, url), createLimiter(4, url)]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    for (const limiter of [one, two, one, two]) await limiter.count('somebody');
    await assert.rejects(one.count('somebody'), RateLimited);
    await assert.rejects(two.count('somebody'), RateLimited);
    await stop();
    await one.count('somebody');
    await Promise.all([one.close(), two.close()]);
  });
});
