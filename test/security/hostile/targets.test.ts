/**
 * RFC 9112, 3.2: a target that is a whole URL, as clients of proxies send it, means what its path
 * means; its authority goes before Host, and misleads nobody.
 */

import { ensure, fail } from '../../support/expect.js';
import { request } from './attack.js';
import { exchange, type RawResponse } from './raw.js';
import { startTarget } from './target.js';

const { server, attacker } = await startTarget();

async function ask(method: string, target: string, ...fields: string[]): Promise<RawResponse> {
  const { responses } = await exchange(server.base, request(method, target, attacker, fields));
  return responses[0] ?? fail('no answer');
}
/** All that is not about the moment. */
const meant = ({ status, headers, body }: RawResponse) => [
  status,
  headers.get('location'),
  headers.get('etag'),
  headers.get('allow'),
  body,
];

const paths = [
  '/v1/me',
  '/v1/qualifications?limit=1',
  '/auth/v1/oauth/jwks',
  '/auth/v1/oauth/.well-known/openid-configuration',
  '/portal/apps?x=%2F',
  '/',
  '/livez',
];

describe('the whole URL of a path', () => {
  for (const path of paths) {
    test(`${path}: answered as the path`, async () => {
      const plain = await ask('GET', path);
      for (const scheme of ['http', 'HTTPS'])
        expect(meant(await ask('GET', `${scheme}://${attacker.host}${path}`))).toStrictEqual(
          meant(plain),
        );
    });
  }

  test('without a path, or with a query alone, it is that of /', async () => {
    const home = meant(await ask('GET', '/'));
    expect(home[0]).toBe(200);
    for (const target of [`http://${attacker.host}`, `http://${attacker.host}?x`])
      expect(meant(await ask('GET', target))).toStrictEqual(home);
  });
});

describe('the host of a whole URL', () => {
  test('goes before Host: the authorization server answers for its own alone', async () => {
    const jwks = '/auth/v1/oauth/jwks';
    expect((await ask('GET', `http://${attacker.host}${jwks}`, 'Host: evil.example')).status).toBe(
      200,
    );
    expect((await ask('GET', `http://evil.example${jwks}`)).status).toBe(421);
  });

  test('of somebody else is nowhere in an answer: no redirect leads there, no issuer, no link', async () => {
    for (const path of [
      ...paths,
      '/portal',
      '/portal/sign-in?next=/',
      '/auth/v1/oauth/authorize?client_id=demo-dashboard',
      '/v1/openapi.json',
      '/docs',
    ]) {
      const { head, body, status } = await ask('GET', `http://evil.example${path}`);
      // The 421 says whom it was taken for.
      ensure(
        !head.includes('evil') && (status === 421 || !body.includes('evil')),
        `${path}: ${head}`,
      );
    }
  });

  test('does not stand in for a Host that is missing or wrong', async () => {
    const missing = Buffer.from(`GET http://${attacker.host}/livez HTTP/1.1\r\n\r\n`);
    expect((await exchange(server.base, missing)).responses[0]?.status).toBe(400);
    for (const host of ['a@b', 'a/b'])
      expect((await ask('GET', `http://${attacker.host}/livez`, `Host: ${host}`)).status).toBe(400);
  });
});

test('OPTIONS * tells the methods, also as the URL of the host alone; no other method has this target', async () => {
  for (const target of ['*', `http://${attacker.host}`]) {
    const { status, headers } = await ask('OPTIONS', target);
    expect([status, headers.get('allow')]).toEqual([
      204,
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    ]);
  }
  for (const method of ['GET', 'POST', 'DELETE']) expect((await ask(method, '*')).status).toBe(400);
});
