import assert from 'node:assert/strict';
import { test } from 'node:test';
import { send, startApp } from '../support/app.js';

const app = await startApp();
const origin = 'https://app.example';

for (const path of ['/v1/me', '/graphql']) {
  test(`a page of another origin may ask ${path} whether it may send its token there`, async () => {
    const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,idempotency-key' };
    const { status, headers: answer } = await send(app.base, 'OPTIONS', path, { headers });
    assert.equal(status, 204);
    assert.equal(answer.get('access-control-allow-origin'), '*');
    assert.equal(answer.get('access-control-allow-headers'), 'authorization,idempotency-key');
    assert.match(answer.get('access-control-allow-methods') ?? '', /PATCH/);
    assert.equal(answer.get('access-control-allow-credentials'), null);
  });
}

test('a page of another origin reads an error and its request id', async () => {
  const { status, headers } = await send(app.base, 'GET', '/v1/me', { headers: { origin } });
  assert.equal(status, 401);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.match(headers.get('access-control-expose-headers') ?? '', /X-Request-Id/);
});

test('pages for people are for nobody else', async () => {
  const { headers } = await send(app.base, 'GET', '/portal/sign-in', { headers: { origin } });
  assert.equal(headers.get('access-control-allow-origin'), null);
});

test('who is no page is told nothing for pages, and no cache may give one the other’s answer', async () => {
  for (const [given, allowed] of [
    [{}, null],
    [{ origin }, '*'],
  ] as const) {
    const { headers } = await send(app.base, 'GET', '/v1/me', { headers: given });
    assert.deepEqual([headers.get('vary'), headers.get('access-control-allow-origin')], ['Origin', allowed]);
  }
});
