/** What every page tells the browser, and what a browser gets where there is no page. */
import { readConfig } from '../../../src/config.js';
import { startOAuthApp } from '../../auth/oauth/client.js';
import { startApp } from '../../support/app.js';
import { ensure } from '../../support/expect.js';

const app = await startOAuthApp();
const secure = await startApp({
  BASE_URL: 'https://lanyard.example',
  SECURITY_CONTACT: 'https://lanyard.example/report',
});
const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const get = (
  base: string,
  path: string,
  { accept = browserAccept, ...init }: RequestInit & { accept?: string } = {},
) => fetch(base + path, { redirect: 'manual', ...init, headers: { accept } });

describe('header fields', () => {
  for (const path of [
    '/',
    '/docs',
    '/portal/nowhere',
    '/dashboard',
    '/graphql',
    '/graphiql',
    '/nowhere',
  ]) {
    it(`${path}: COOP, and no device features`, async () => {
      const { headers } = await get(app.base, path);
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      const policy = headers.get('permissions-policy') ?? '';
      for (const feature of [
        'camera=()',
        'geolocation=()',
        'microphone=()',
        'publickey-credentials-get=(self)',
      ])
        ensure(policy.includes(feature), feature);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    });
  }

  it('pages of an authorization request have no COOP: an app may have opened them in a window of its own', async () => {
    const { headers, status } = await get(app.base, '/auth/v1/oauth/authorize', { headers: {} });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(headers.get('cross-origin-opener-policy')).toBeNull();
    expect(headers.get('content-security-policy') ?? '').toMatch(/frame-ancestors 'none'/);
  });

  for (const path of [
    '/',
    '/v1/me',
    '/graphql',
    '/auth/v1/oauth/jwks',
    '/nowhere',
    '/assets/portal.css',
  ]) {
    it(`${path}: HSTS with an https BASE_URL, and none without`, async () => {
      expect((await get(secure.base, path)).headers.get('strict-transport-security')).toBe(
        'max-age=31536000',
      );
      expect((await get(app.base, path)).headers.get('strict-transport-security')).toBeNull();
    });
  }
});

describe('/.well-known/security.txt', () => {
  const fieldsOf = async (base: string) => {
    const response = await get(base, '/.well-known/security.txt');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type') ?? '').toMatch(/^text\/plain; charset=utf-8$/);
    return new Map(
      (await response.text())
        .trim()
        .split('\n')
        .map((line) => line.split(': ') as [string, string]),
    );
  };

  it('says where to report, until a day in the future that is less than a year away', async () => {
    const fields = await fieldsOf(secure.base);
    expect(fields.get('Contact')).toBe('https://lanyard.example/report');
    expect(fields.get('Canonical')).toBe('https://lanyard.example/.well-known/security.txt');
    const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000;
    ensure(days > 30 && days < 365, String(days));
    expect(fields.get('Expires') ?? '').toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/);
  });

  it('names security@ the host of BASE_URL where nothing is set', async () => {
    expect((await fieldsOf(app.base)).get('Contact')).toBe('mailto:security@127.0.0.1');
  });

  it('takes no contact that is not an address', () => {
    for (const contact of ['ada', 'http://example.com', 'mailto:ada', 'mailto:a@b.example\nX: 1'])
      expect(() => readConfig({ SECURITY_CONTACT: contact })).toThrow(/SECURITY_CONTACT/);
    for (const contact of ['mailto:a@b.example', 'tel:+1-201-555-0123'])
      expect(readConfig({ SECURITY_CONTACT: contact })).toBeTruthy();
  });
});

describe('a browser that asks for what is not there', () => {
  for (const path of [
    '/nowhere',
    '/docs/nothing',
    '/portal/nowhere',
    '/dashboard/x',
    '/assets/nothing.css',
    '/%E0%A4%A',
  ]) {
    it(`${path}: gets a page that leads on`, async () => {
      const response = await get(app.base, path);
      const page = await response.text();
      ensure(
        response.status === 404 || (path.includes('%') && response.status < 500),
        String(response.status),
      );
      expect(response.headers.get('content-type') ?? '').toMatch(/^text\/html/);
      expect(response.headers.get('content-security-policy') ?? '').toMatch(/script-src 'self'/);
      expect(page).toMatch(/<h1>/);
      expect(page).toMatch(/href="\/portal"/);
    });
    it(`${path}: programs get what they got before`, async () => {
      for (const accept of ['*/*', 'application/json']) {
        const response = await get(app.base, path, { accept });
        if (!path.startsWith('/portal'))
          expect([`${path} ${accept}`, response.headers.get('content-type') ?? '']).toStrictEqual([
            expect.any(String),
            expect.stringMatching(/json/),
          ]);
      }
    });
  }

  for (const path of [
    '/v1',
    '/v1/nowhere',
    '/v1/me',
    '/graphql/nowhere',
    '/auth/v1/oauth/nothing',
  ]) {
    it(`${path}: is of the API, and answers JSON to anybody`, async () => {
      const response = await get(app.base, path);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.get('content-type') ?? '').toMatch(/json/);
    });
  }

  it('a method that a page does not take: 405 with Allow, as a page', async () => {
    for (const [path, method, allow] of [
      ['/', 'DELETE', 'GET, HEAD, OPTIONS'],
      ['/docs', 'POST', 'GET, HEAD, OPTIONS'],
      ['/portal/sign-out', 'GET', 'OPTIONS, POST'],
      ['/portal/account', 'POST', 'GET, HEAD, OPTIONS'],
      ['/auth/v1/oauth/authorize', 'DELETE', 'GET, HEAD'],
    ] as const) {
      const response = await get(app.base, path, { method });
      expect([path, [response.status, response.headers.get('allow')]]).toStrictEqual([
        path,
        [405, allow],
      ]);
      expect([path, response.headers.get('content-type') ?? '']).toStrictEqual([
        path,
        expect.stringMatching(/^text\/html/),
      ]);
    }
  });

  it('what it asked for does not come back as markup', async () => {
    const page = await (await get(app.base, '/<script>alert(1)</script>')).text();
    expect(page).not.toMatch(/alert\(1\)/);
  });
});
