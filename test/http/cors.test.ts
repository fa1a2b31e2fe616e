import { send, startApp } from '../support/app.js';

const app = await startApp();
const origin = 'https://app.example';

for (const path of ['/v1/me', '/graphql']) {
  test(`a page of another origin may ask ${path} whether it may send its token there`, async () => {
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,idempotency-key,if-match',
    };
    const { status, headers: answer } = await send(app.base, 'OPTIONS', path, { headers });
    expect(status).toBe(204);
    expect(answer.get('access-control-allow-origin')).toBe('*');
    expect(answer.get('access-control-allow-headers')).toBe(
      'authorization,idempotency-key,if-match',
    );
    expect(answer.get('access-control-allow-methods') ?? '').toMatch(/PATCH/);
    expect(answer.get('access-control-allow-credentials')).toBeNull();
  });
}

test('a page of another origin reads an error and its request id', async () => {
  const { status, headers } = await send(app.base, 'GET', '/v1/me', { headers: { origin } });
  expect(status).toBe(401);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  for (const field of [/X-Request-Id/, /ETag/])
    expect(headers.get('access-control-expose-headers') ?? '').toMatch(field);
});

test('pages for people are for nobody else', async () => {
  const { headers } = await send(app.base, 'GET', '/portal/sign-in', { headers: { origin } });
  expect(headers.get('access-control-allow-origin')).toBeNull();
});

test('who is no page is told nothing for pages, and no cache may give one the other’s answer', async () => {
  for (const [given, allowed] of [
    [{}, null],
    [{ origin }, '*'],
  ] as const) {
    const { headers } = await send(app.base, 'GET', '/v1/me', { headers: given });
    expect([headers.get('vary'), headers.get('access-control-allow-origin')]).toStrictEqual([
      'Accept-Encoding, Origin',
      allowed,
    ]);
  }
});
