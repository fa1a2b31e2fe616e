/** Requests without a valid token are limited by their address, and callers don't pay for them. */
import { networkOf, RateLimited, Strangers } from '../../src/http/rate-limit.js';
import { openApp, send, type TestApp } from '../support/app.js';
import { climberEmail, managerEmail } from '../support/names.js';

const settings = { RATE_LIMIT_PER_MINUTE: '20', TRUST_PROXY: 'true' };
const garbage = 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln';
const from = (address: string) => ({ 'x-forwarded-for': address });
const guess = (app: TestApp, address: string) =>
  send(app.base, 'GET', '/v1/me', { token: garbage, headers: from(address) });
const me = async (app: TestApp, address: string, email = managerEmail) =>
  (await send(app.base, 'GET', '/v1/me', { token: await app.token(email), headers: from(address) }))
    .status;

describe('a stranger', () => {
  test('has so many guesses in a minute, then 429 with Retry-After; other addresses go on', async () => {
    await using app = await openApp(settings);
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await guess(app, '192.0.2.1')).status),
    );
    expect([
      statuses.filter((status) => status === 401).length,
      statuses.filter((status) => status === 429).length,
    ]).toEqual([20, 20]);
    const refused = await guess(app, '192.0.2.1');
    expect(refused.headers.get('retry-after') ?? '').toMatch(/^[1-9]\d?$/);
    expect(refused.headers.get('ratelimit') ?? '').toMatch(/^"address";r=0;t=\d+$/);
    expect((await guess(app, '192.0.2.2')).status).toBe(401);
  });

  test('counts without a token too, in REST, GraphQL and streams; a document more than the rest', async () => {
    await using app = await openApp(settings);
    const paths = ['/v1/me', '/graphql/stream'];
    for (const path of paths) {
      const method = path === '/v1/me' ? 'GET' : 'POST';
      const ask = async () =>
        (
          await send(app.base, method, path, {
            headers: from(`192.0.2.${path.length}`),
            body: method === 'POST' ? {} : undefined,
          })
        ).status;
      for (let index = 0; index < 20; index++) expect(await ask()).toBe(401);
      expect([path, await ask()]).toStrictEqual([path, 429]);
    }
    const introspect = async () => {
      const { status } = await app.graphql('{ __typename }', {}, { headers: from('192.0.2.3') });
      return status;
    };
    for (let index = 0; index < 4; index++) expect(await introspect()).toBe(200);
    expect(await introspect()).toBe(429);
  });

  test('is known by what the proxy says, not by what it claims before that', async () => {
    await using app = await openApp(settings);
    for (let index = 0; index < 20; index++)
      expect((await guess(app, `10.0.0.${index}, 192.0.2.1`)).status).toBe(401);
    expect((await guess(app, '10.0.0.99, 192.0.2.1')).status).toBe(429);
  });

  test('costs no look-up: a refused token reaches neither PostgreSQL nor the check of its signature', async () => {
    await using app = await openApp(settings);
    const token = (await app.token(managerEmail)).replace(/.{20}$/, 'A'.repeat(20));
    for (let index = 0; index < 20; index++)
      expect(
        (await send(app.base, 'GET', '/v1/me', { token, headers: from('192.0.2.1') })).status,
      ).toBe(401);
    expect(
      (await send(app.base, 'GET', '/v1/me', { token, headers: from('192.0.2.1') })).status,
    ).toBe(429);
  });
});

describe('a caller', () => {
  test('with a known token goes on where strangers used the address up, and pays nothing for it', async () => {
    await using app = await openApp({ ...settings, RATE_LIMIT_PER_MINUTE: '30' });
    expect(await me(app, '192.0.2.1')).toBe(200);
    while ((await guess(app, '192.0.2.1')).status !== 429);
    for (let index = 0; index < 10; index++) expect(await me(app, '192.0.2.1')).toBe(200);
    // A token that nobody has seen may be a guess.
    expect(await me(app, '192.0.2.1', climberEmail)).toBe(429);
    expect(await me(app, '192.0.2.2', climberEmail)).toBe(200);
    expect(await me(app, '192.0.2.1', climberEmail)).toBe(200); // seen at another address
  });

  test('takes nothing from the address: more callers than it has points', async () => {
    await using app = await openApp({ ...settings, RATE_LIMIT_PER_MINUTE: '2' });
    for (const email of [
      managerEmail,
      climberEmail,
      'admin@skyline.example',
      'admin@harbor.example',
    ])
      expect(await me(app, '192.0.2.1', email)).toBe(200);
  });

  test('whose token was revoked is a stranger', async () => {
    await using app = await openApp({ ...settings, RATE_LIMIT_PER_MINUTE: '30' });
    expect(await me(app, '192.0.2.1')).toBe(200);
    await app.db.query(`update grants set expires_at = now() - interval '1 second'`);
    const statuses = [];
    for (let index = 0; index < 40; index++) statuses.push(await me(app, '192.0.2.1'));
    expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('addresses', () => {
  const networks: [address: string, network: string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['unknown', 'unknown'],
  ];
  for (const [address, network] of networks)
    test(`${address} is of ${network}`, () => expect(networkOf(address)).toBe(network));

  test('of one /64 count together', () => {
    const strangers = new Strangers(2);
    strangers.count('2001:db8::1');
    strangers.count('2001:db8::2');
    expect(() => strangers.count('2001:db8::3')).toThrow(RateLimited);
    strangers.count('2001:db8:0:1::1');
  });

  test('are forgotten, the oldest first, past a number that fits into memory', () => {
    const strangers = new Strangers(1);
    strangers.count('192.0.2.1');
    expect(() => strangers.count('192.0.2.1')).toThrow(RateLimited);
    for (let index = 0; index < 50_000; index++)
      strangers.count(`2001:db8:${(index >> 8).toString(16)}:${(index & 255).toString(16)}::1`);
    strangers.count('192.0.2.1');
  });

  test('aren’t counted where RATE_LIMIT_PER_MINUTE is 0', () => {
    const strangers = new Strangers(0);
    for (let index = 0; index < 1000; index++) strangers.count('192.0.2.1');
  });
});
