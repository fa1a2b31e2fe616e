import { type IncomingHttpHeaders, request } from 'node:http';
import { demoRedirectUri } from '../../../src/demo/apps.js';
import { startApp } from '../../support/app.js';
import { ensure } from '../../support/expect.js';

const base = 'https://lanyard.example';
const app = await startApp({ BASE_URL: base });

/** A request as a proxy sends it on that ended TLS and says nothing of it. */
const get = (path: string) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const sent = request(
      app.base + path,
      { headers: { host: 'lanyard.example' } },
      async (response) => {
        const body = (await response.toArray()).join('');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      },
    );
    sent.once('error', reject).end();
  });

test('behind TLS, cookies are Secure with the prefixes, and addresses begin with https', async () => {
  const { body } = await get('/auth/v1/oauth/.well-known/openid-configuration');
  for (const [name, value] of Object.entries(JSON.parse(body))) {
    if (/_endpoint$|_uri$|^issuer$/.test(name))
      ensure(String(value).startsWith(`${base}/auth/v1/oauth`), name);
  }
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: 'demo-reader',
    redirect_uri: demoRedirectUri,
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  });
  const { status, headers } = await get(`/auth/v1/oauth/authorize?${parameters}`);
  expect(status).toBe(303);
  const cookies = headers['set-cookie'] ?? [];
  expect(cookies.some((cookie) => cookie.startsWith('__Secure-lanyard_interaction='))).toBe(true);
  expect(cookies.some((cookie) => cookie.startsWith('__Secure-lanyard_resume='))).toBe(true);
  for (const cookie of cookies) expect(cookie).toMatch(/; secure/i);

  const silent = await get(`/auth/v1/oauth/authorize?${parameters}&prompt=none`);
  const answer = new URL(silent.headers.location ?? '').searchParams;
  expect([answer.get('error'), answer.get('iss')]).toStrictEqual([
    'login_required',
    `${base}/auth/v1/oauth`,
  ]);
});
