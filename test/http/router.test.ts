/**
 * Which path and method leads where: every router alike, and what a request gets that no route
 * takes.
 */
import { demoPassword } from '../../src/demo/people.js';
import { Browser } from '../auth/oauth/browser.js';
import { startOAuthApp } from '../auth/oauth/client.js';
import { openApp, send } from '../support/app.js';
import { adminEmail, managerEmail, skylineId } from '../support/names.js';

const app = await startOAuthApp();
const token = await app.token(managerEmail);
const html = { accept: 'text/html,*/*;q=0.8' };

describe('a path', () => {
  for (const path of [
    '/livez/',
    '/LIVEZ',
    '/l%69vez',
    '/docs/',
    '/docs/Sync',
    '/docs/s%79nc',
    '/portal/',
    '/Portal',
    '/portal/sign%2Din',
    '/portal%2Fsign-in',
    '/dashboard/',
    '/graphql/',
    '/graphql/Stream',
    '/assets/',
    '/.well-known/security%2Etxt',
    '/v1/openapi.json/',
  ])
    test(`${path} is no other path: 404`, async () => {
      const response = await send(app.base, 'GET', path, { token });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type') ?? '').toMatch(/json/);
    });

  test('of a page is 404 as a page where a browser asks', async () => {
    for (const path of ['/portal/', '/portal/nowhere', '/docs/', '/assets/nothing.css']) {
      const { status, headers, text } = await send(app.base, 'GET', path, { headers: html });
      expect([path, [status, headers.get('content-type')]]).toStrictEqual([
        path,
        [404, 'text/html; charset=utf-8'],
      ]);
      expect(text).toMatch(/<h1>Page not found<\/h1>/);
    }
  });
});

describe('a parameter of a page that is malformed or very long', () => {
  const values = ['%FF', '%', '%zz', '%C0%AF', 'a%2Fb', 'a'.repeat(1001), 'a'.repeat(8000)];

  test('is 404 without a session', async () => {
    for (const value of values)
      for (const path of [
        `/portal/links/${value}`,
        `/portal/invitations/${value}`,
        `/portal/interactions/${value}`,
      ])
        expect([path, (await send(app.base, 'GET', path, { headers: html })).status]).toStrictEqual(
          [path, 404],
        );
  });

  test('is 404 with one', async () => {
    const browser = new Browser(app.base);
    await browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', {
      email: adminEmail,
      password: demoPassword,
    });
    for (const value of values)
      for (const path of [
        `/portal/apps/${value}`,
        `/portal/organizations/${value}/members`,
        `/portal/organizations/${value}/audit`,
      ]) {
        const { status, html: page } = await browser.get(path);
        expect([path, status]).toStrictEqual([path, 404]);
        expect(page).toMatch(/<h1>Page not found<\/h1>/);
      }
    expect((await browser.get(`/portal/organizations/${skylineId}/members`)).status).toBe(200);
  });
});

describe('a method', () => {
  const paths: readonly (readonly [path: string, allow: string])[] = [
    ['/v1/me', 'GET, HEAD, OPTIONS'],
    ['/v1/certifications', 'GET, HEAD, OPTIONS, POST'],
    ['/v1/openapi.json', 'GET, HEAD, OPTIONS'],
    ['/graphql/stream', 'OPTIONS, POST'],
    ['/livez', 'GET, HEAD, OPTIONS'],
    ['/readyz', 'GET, HEAD, OPTIONS'],
    ['/.well-known/security.txt', 'GET, HEAD, OPTIONS'],
    ['/.well-known/oauth-protected-resource/v1', 'GET, HEAD, OPTIONS'],
    ['/', 'GET, HEAD, OPTIONS'],
    ['/docs/sync.md', 'GET, HEAD, OPTIONS'],
    ['/portal/sign-out', 'OPTIONS, POST'],
    ['/portal/sign-in', 'GET, HEAD, OPTIONS, POST'],
    ['/dashboard', 'GET, HEAD, OPTIONS'],
    ['/assets/portal.css', 'GET, HEAD, OPTIONS'],
  ];
  for (const [path, allow] of paths)
    test(`of ${path}: 405 with Allow for another, 204 with Allow for OPTIONS`, async () => {
      for (const [method, status] of [
        ['PUT', 405],
        ['DELETE', 405],
        ['PROPFIND', 405],
        ['OPTIONS', 204],
      ] as const) {
        const response = await send(app.base, method, path, { token });
        expect([method, [response.status, response.headers.get('allow')]]).toStrictEqual([
          method,
          [status, allow],
        ]);
        if (path.startsWith('/graphql')) continue;
        if (status === 405) expect(response.body.error.code).toBe('method_not_allowed');
        else expect(response.text).toBe('');
      }
    });

  test('of a path without a route is 404, whatever the method', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PROPFIND']) {
      const response = await send(app.base, method, '/v1/nowhere', { token });
      expect([method, [response.status, response.headers.get('allow')]]).toStrictEqual([
        method,
        [404, null],
      ]);
    }
  });

  test('HEAD is taken where GET is, without a body', async () => {
    for (const path of [
      '/livez',
      '/docs',
      '/v1/openapi.json',
      '/portal/sign-in',
      '/assets/portal.css',
    ]) {
      const { status, text } = await send(app.base, 'HEAD', path, {});
      expect([path, [status, text]]).toStrictEqual([path, [200, '']]);
    }
  });
});

test('the log names a request by the template of its route, and not one that no route takes', async () => {
  const expected: readonly (readonly [method: string, path: string, route: string | undefined])[] =
    [
      [
        'GET',
        `/v1/organizations/${skylineId}/job-roles`,
        '/v1/organizations/{organization_id}/job-roles',
      ],
      ['HEAD', '/v1/me', '/v1/me'],
      ['GET', '/v1/openapi.json', '/v1/openapi.json'],
      ['POST', '/graphql', '/graphql'],
      ['GET', '/livez', '/livez'],
      ['GET', '/docs/sync', '/docs/sync'],
      ['GET', '/portal', '/portal'],
      ['GET', '/portal/links/secret', '/portal/links/{secret}'],
      ['GET', '/assets/portal.css', '/assets/*'],
      ['GET', '/auth/v1/oauth/jwks', '/auth/v1/oauth/jwks'],
      ['PUT', '/v1/me', undefined],
      ['OPTIONS', '/v1/me', undefined],
      ['GET', '/nowhere', undefined],
      ['GET', '/portal/nowhere', undefined],
    ];
  for (const [index, [method, path]] of expected.entries())
    await send(app.base, method, path, {
      token,
      headers: { 'x-request-id': `route-${index}` },
      body: method === 'POST' ? {} : undefined,
    });
  const lines = app.log as { requestId?: string; msg?: string; route?: string }[];
  const named = expected.map(([method, path], index) => {
    const line = lines.find(
      ({ requestId, msg }) => requestId === `route-${index}` && msg === 'request',
    );
    return [method, path, line?.route];
  });
  expect(named).toStrictEqual(expected);
});

test('a stranger pays for requests that no route takes, before they are answered', async () => {
  for (const [method, path, status] of [
    ['GET', '/nowhere', 404],
    ['PUT', '/v1/me', 405],
    ['OPTIONS', '/v1/me', 204],
  ] as const) {
    await using limited = await openApp({ RATE_LIMIT_PER_MINUTE: '3' });
    for (let index = 0; index < 3; index++)
      expect((await send(limited.base, method, path, {})).status).toBe(status);
    expect([`${method} ${path}`, (await send(limited.base, method, path, {})).status]).toEqual([
      `${method} ${path}`,
      429,
    ]);
  }
});
