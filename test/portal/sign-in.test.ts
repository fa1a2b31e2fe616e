import { attemptsPerAccount } from '../../src/auth/accounts/limits.js';
import { purgeExpired } from '../../src/auth/oauth/purge.js';
import { demoPassword } from '../../src/demo/people.js';
import { Browser, formsOf, type Visit } from '../auth/oauth/browser.js';
import { startOAuthApp } from '../auth/oauth/client.js';
import { openApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { startServer } from '../support/server.js';

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

const app = await startOAuthApp();

const wrong = 'The e-mail address or the password is wrong.';

async function signIn(
  email: string,
  password = demoPassword,
  next = '/portal',
  browser = new Browser(app.base),
): Promise<Visit> {
  const form = await browser.get(`/portal/sign-in?next=${encodeURIComponent(next)}`);
  return browser.submit(form, '/portal/sign-in', { email, password });
}

const forgetAttempts = () => app.db.query('delete from sign_in_attempts');

/** What a person sees of a page. */
const textOf = ({ html }: Visit): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('POST /portal/sign-in', () => {
  it('opens the portal, whatever the case of the e-mail address', async () => {
    const home = await signIn('Climber@Skyline.EXAMPLE');
    expect(home.status).toBe(200);
    expect(home.url.pathname).toBe('/portal');
    expect(textOf(home)).toMatch(/Signed in as climber@skyline\.example/);
  });

  it('answers alike for a wrong password, an unknown person, an invited one and a disabled one', async () => {
    await app.db.query(
      `update users set status = 'disabled' where email = 'walter.ogilvie@harbor.example'`,
    );
    const refused = await Promise.all([
      signIn('climber@skyline.example', 'not the password'),
      signIn('nobody@skyline.example'),
      signIn('isaiah.pruitt@skyline.example'),
      signIn('walter.ogilvie@harbor.example'),
    ]);
    for (const page of refused) {
      expect(page.status).toBe(422);
      expect(textOf(page)).toMatch(new RegExp(wrong));
      expect(page.headers.getSetCookie()).toHaveLength(0);
    }
    const without = refused.map(({ html }) => html.replaceAll(/value="[^"]*"/g, ''));
    expect(new Set(without).size).toBe(1);
  });

  it('leads on to a page of the portal, and nowhere else', async () => {
    expect(
      (await signIn('climber@skyline.example', demoPassword, '/portal/account')).url.pathname,
    ).toBe('/portal/account');
    for (const next of [
      'https://evil.example/portal',
      '//evil.example/portal',
      '/\\evil.example',
      '/portal/../graphql',
      'javascript:alert(1)',
      '/portalx',
    ]) {
      const end = await signIn('climber@skyline.example', demoPassword, next);
      expect([next, `${end.url.origin}${end.url.pathname}`]).toStrictEqual([
        next,
        `${app.base}/portal`,
      ]);
    }
  });

  it('ends the session that the browser had', async () => {
    const browser = new Browser(app.base);
    const first = await signIn('climber@skyline.example', demoPassword, '/portal', browser);
    expect(first.status).toBe(200);
    const count = () =>
      app.db
        .query<{ count: number }>('select count(*) from web_sessions')
        .then(([row]) => row?.count ?? 0);
    const before = await count();
    await browser.submit(first, '/portal/sign-out');
    expect(await count()).toBe(before - 1);
    expect((await browser.get('/portal')).url.pathname).toBe('/portal/sign-in');
  });
});

describe('forms', () => {
  const fields = { email: 'climber@skyline.example', password: demoPassword };

  it('are refused without the cookie, with a wrong token, or from elsewhere', async () => {
    const browser = new Browser(app.base);
    const page = await browser.get('/portal/sign-in');
    const form = formsOf(page.html).find(({ action }) => action === '/portal/sign-in');
    const good = { ...form?.fields, ...fields };
    const refusals: [Promise<Visit>, RegExp][] = [
      [new Browser(app.base).post('/portal/sign-in', good), /out of date/],
      [browser.post('/portal/sign-in', { ...good, csrf: 'x'.repeat(43) }), /out of date/],
      [browser.post('/portal/sign-in', fields), /out of date/],
      [browser.post('/portal/sign-in', good, { origin: 'https://evil.example' }), /not sent from/],
      [browser.post('/portal/sign-in', good, { origin: 'null' }), /not sent from/],
      [browser.post('/portal/sign-in', good, { origin: '' }), /not sent from/],
    ];
    for (const [sent, reason] of refusals) {
      const refused = await sent;
      expect(refused.status).toBe(403);
      expect(textOf(refused)).toMatch(reason);
    }
    expect((await browser.post('/portal/sign-in', good)).url.pathname).toBe('/portal');
  });

  it('of a page from before the sign-in are refused after it', async () => {
    const browser = new Browser(app.base);
    const before = await browser.get('/portal/sign-in');
    await browser.submit(before, '/portal/sign-in', fields);
    expect((await browser.submit(before, '/portal/sign-in', fields)).status).toBe(403);
  });

  it('are taken urlencoded alone, and up to 64 KiB', async () => {
    const post = (body: string, type: string) =>
      fetch(`${app.base}/portal/sign-in`, {
        method: 'POST',
        body,
        headers: { 'content-type': type, origin: app.base },
      });
    expect((await post('{}', 'application/json')).status).toBe(415);
    expect(
      (await post(`email=${'x'.repeat(70_000)}`, 'application/x-www-form-urlencoded')).status,
    ).toBe(413);
  });
});

describe('headers', () => {
  it('of a page forbid frames, inline scripts and caches', async () => {
    const { headers } = await new Browser(app.base).get('/portal/sign-in');
    const policy = headers.get('content-security-policy') ?? '';
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
      ensure(policy.includes(directive), policy);
    ensure(!policy.includes('unsafe') && !policy.includes('form-action'), policy);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const home = await signIn('climber@skyline.example');
    expect(home.headers.get('content-security-policy') ?? '').toMatch(/form-action 'self'/);
  });

  it('of a cookie bind it to the host and keep scripts off; over https with __Host- and Secure', async () => {
    const plain = await fetch(`${app.base}/portal/sign-in`);
    expect(plain.headers.getSetCookie().join()).toMatch(
      /^lanyard_visit=[\w-]{43}; path=\/; samesite=lax; httponly$/i,
    );
    await using secure = await openApp({ BASE_URL: 'https://lanyard.example' });
    const { headers } = await fetch(`${secure.base}/portal/sign-in`);
    expect(headers.getSetCookie().join()).toMatch(
      /^__Host-lanyard_visit=[\w-]{43}; path=\/; samesite=lax; secure; httponly$/i,
    );
  });
});

describe('GET /assets', () => {
  it('gives the files of public/ and the passkey library, and nothing beside them', async () => {
    for (const [path, type] of [
      ['/assets/portal.css', 'text/css'],
      ['/assets/passkeys.js', 'javascript'],
      ['/assets/simplewebauthn/index.js', 'javascript'],
    ]) {
      const response = await fetch(app.base + path);
      expect([String(path), response.status]).toStrictEqual([expect.any(String), 200]);
      ensure(response.headers.get('content-type')?.includes(type ?? ''), String(path));
      expect(response.headers.get('cache-control')).toBe('max-age=300');
    }
    for (const path of [
      '/assets/',
      '/assets/..%2fpackage.json',
      '/assets/%2e%2e/package.json',
      '/assets/nothing',
    ]) {
      const response = await fetch(app.base + path);
      ensure(response.status === 404 || response.status === 403, `${path} ${response.status}`);
    }
  });
});

describe('attempts', () => {
  it('are limited for an account, in all processes together, and the right password does not help then', async () => {
    await forgetAttempts();
    const other = await startServer({
      DATABASE_URL: app.url,
      BASE_URL: app.base,
      NODE_ENV: 'test',
    });
    cleanup.defer(() => void other.child.kill());
    const browser = new Browser(app.base);
    const page = await browser.get('/portal/sign-in');
    const elsewhere = new Browser(other.base);
    const pageElsewhere = await elsewhere.get('/portal/sign-in');
    const tryHere = (password: string) =>
      browser.submit(page, '/portal/sign-in', { email: 'manager@skyline.example', password });
    const tryThere = (password: string) => {
      const { fields } = formsOf(pageElsewhere.html)[0] ?? { fields: {} };
      return elsewhere.post(
        '/portal/sign-in',
        { ...fields, email: 'MANAGER@skyline.example', password },
        { origin: app.base },
      );
    };
    const guesses = await Promise.all(
      Array.from({ length: attemptsPerAccount + 6 }, (_, index) =>
        (index % 2 ? tryHere : tryThere)(`guess number ${index}`),
      ),
    );
    const statuses = guesses.map(({ status }) => status).sort();
    expect(statuses).toStrictEqual([...Array(attemptsPerAccount).fill(422), ...Array(6).fill(429)]);
    for (const late of [await tryHere(demoPassword), await tryThere(demoPassword)]) {
      expect(late.status).toBe(429);
      expect(textOf(late)).toMatch(/too many attempts: wait \d+ minutes/);
      expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(800);
    }
    expect((await signIn('climber@skyline.example')).status).toBe(200);
  });

  it('are limited for an address', async () => {
    await forgetAttempts();
    await app.db.query(`insert into sign_in_attempts values ('address:127.0.0.1', 60, $1)`, [
      Date.now() + 60_000,
    ]);
    const refused = await signIn('climber@skyline.example');
    expect(refused.status).toBe(429);
    expect(textOf(refused)).toMatch(/wait a minute/);
    await forgetAttempts();
  });

  it('are forgotten after a sign-in', async () => {
    await forgetAttempts();
    for (let round = 0; round < 3; round++) {
      for (let attempt = 0; attempt < attemptsPerAccount - 2; attempt++)
        await signIn('manager@skyline.example', 'a wrong one');
      expect((await signIn('manager@skyline.example')).url.pathname).toBe('/portal');
    }
    expect(
      await app.db.query(`select points from sign_in_attempts where key like 'account:%'`),
    ).toEqual([]);
    await forgetAttempts();
  });
});

describe('sessions', () => {
  const isSignedIn = async (browser: Browser) =>
    (await browser.get('/portal')).url.pathname === '/portal';

  it('end when unused for 12 hours, after a week, and when the user is disabled', async () => {
    const browser = new Browser(app.base);
    await signIn('keisha.broussard@skyline.example', demoPassword, '/portal', browser);
    const where = `where user_id = (select id from users where email = 'keisha.broussard@skyline.example')`;
    const set = (change: string) => app.db.query(`update web_sessions set ${change} ${where}`);
    expect(await isSignedIn(browser)).toBe(true);
    await set(`seen_at = now() - interval '12 hours'`);
    expect(await isSignedIn(browser)).toBe(false);
    await set(`seen_at = now(), created_at = now() - interval '7 days'`);
    expect(await isSignedIn(browser)).toBe(false);
    await set(`created_at = now()`);
    expect(await isSignedIn(browser)).toBe(true);
    await app.db.query(
      `update users set status = 'disabled' where email = 'keisha.broussard@skyline.example'`,
    );
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('stay alive while used', async () => {
    const browser = new Browser(app.base);
    await signIn('caleb.stone@skyline.example', demoPassword, '/portal', browser);
    await app.db.query(`update web_sessions set seen_at = now() - interval '11 hours'`);
    expect(await isSignedIn(browser)).toBe(true);
    const [row] = await app.db.query<{ fresh: boolean }>(
      `select seen_at > now() - interval '1 minute' as fresh from web_sessions s join users u on u.id = s.user_id where u.email = 'caleb.stone@skyline.example'`,
    );
    expect(row?.fresh).toBe(true);
  });

  it('are not to be had from the database', async () => {
    const browser = new Browser(app.base);
    await signIn('caleb.stone@skyline.example', demoPassword, '/portal', browser);
    const rows = await app.db.query<{ hash: Buffer }>(
      'select secret_hash as hash from web_sessions',
    );
    for (const { hash } of rows) {
      const response = await fetch(`${app.base}/portal`, {
        redirect: 'manual',
        headers: { cookie: `lanyard_session=${hash.toString('base64url')}` },
      });
      expect(response.status).toBe(303);
    }
  });

  it('and links, challenges and attempts are purged once they have expired, and not before', async () => {
    const [caleb] = await app.db.query<{ id: string }>(
      `select id from users where email = 'caleb.stone@skyline.example'`,
    );
    await app.db.query('delete from web_sessions');
    await app.db.query(
      `insert into web_sessions (id, secret_hash, user_id, signed_in_by, user_agent, address, seen_at)
       select gen_random_uuid(), sha256(age::text::bytea), $1, 'password', '', '', now() - age from unnest(array['11 hours', '12 hours']::interval[]) age`,
      [caleb?.id],
    );
    await app.db.query(
      `insert into one_time_links select sha256(purpose::bytea), $1, purpose, expiry
       from (values ('reset', now()), ('invitation', now() + interval '1 minute')) as links (purpose, expiry)`,
      [caleb?.id],
    );
    await app.db.query(
      `insert into passkey_challenges values ('old', '', now()), ('new', '', now() + interval '1 minute')`,
    );
    await app.db.query('insert into sign_in_attempts values ($1, 1, $3), ($2, 1, $4)', [
      'old',
      'new',
      Date.now(),
      Date.now() + 60_000,
    ]);
    const { web_sessions, one_time_links, passkey_challenges, sign_in_attempts } =
      await purgeExpired(app.db);
    expect([web_sessions, one_time_links, passkey_challenges, sign_in_attempts]).toEqual([
      1, 1, 1, 1,
    ]);
    expect(await app.db.query('select challenge from passkey_challenges')).toStrictEqual([
      { challenge: 'new' },
    ]);
  });
});
