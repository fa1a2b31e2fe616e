import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { purgeExpired } from '../../src/auth/oauth/purge.js';
import { attemptsPerAccount } from '../../src/auth/people/limits.js';
import { demoPassword } from '../../src/database/demo/people.js';
import { Browser, formsOf, type Visit } from '../auth/oauth/browser.js';
import { startOAuthApp } from '../auth/oauth/client.js';
import { startApp } from '../support/app.js';
import { startServer } from '../support/server.js';

const app = await startOAuthApp();

const wrong = 'The e-mail address or the password is wrong.';

async function signIn(email: string, password = demoPassword, next = '/portal', browser = new Browser(app.base)): Promise<Visit> {
  const form = await browser.get(`/portal/sign-in?next=${encodeURIComponent(next)}`);
  return browser.submit(form, '/portal/sign-in', { email, password });
}

const forgetAttempts = () => app.db.query('delete from sign_in_attempts');

/** What a person sees of a page. */
const textOf = ({ html }: Visit): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('POST /portal/sign-in', () => {
  it('opens the portal, whatever the case of the e-mail address', async () => {
    const home = await signIn('Climber@Skyline.EXAMPLE');
    assert.equal(home.status, 200);
    assert.equal(home.url.pathname, '/portal');
    assert.match(textOf(home), /Signed in as climber@skyline\.example/);
  });

  it('answers alike for a wrong password, an unknown person, an invited one and a disabled one', async () => {
    await app.db.query(`update users set status = 'disabled' where email = 'walter.ogilvie@harbor.example'`);
    const refused = await Promise.all([
      signIn('climber@skyline.example', 'not the password'),
      signIn('nobody@skyline.example'),
      signIn('isaiah.pruitt@skyline.example'),
      signIn('walter.ogilvie@harbor.example'),
    ]);
    for (const page of refused) {
      assert.equal(page.status, 422);
      assert.match(textOf(page), new RegExp(wrong));
      assert.equal(page.headers.getSetCookie().length, 0);
    }
    const without = refused.map(({ html }) => html.replaceAll(/value="[^"]*"/g, ''));
    assert.equal(new Set(without).size, 1);
  });

  it('leads on to a page of the portal, and nowhere else', async () => {
    assert.equal((await signIn('climber@skyline.example', demoPassword, '/portal/account')).url.pathname, '/portal/account');
    for (const next of [
      'https://evil.example/portal',
      '//evil.example/portal',
      '/\\evil.example',
      '/portal/../graphql',
      'javascript:alert(1)',
      '/portalx',
    ]) {
      const end = await signIn('climber@skyline.example', demoPassword, next);
      assert.equal(`${end.url.origin}${end.url.pathname}`, `${app.base}/portal`, next);
    }
  });

  it('ends the session that the browser had', async () => {
    const browser = new Browser(app.base);
    const first = await signIn('climber@skyline.example', demoPassword, '/portal', browser);
    assert.equal(first.status, 200);
    const count = () => app.db.query<{ count: number }>('select count(*) from web_sessions').then(([row]) => row?.count ?? 0);
    const before = await count();
    await browser.submit(first, '/portal/sign-out');
    assert.equal(await count(), before - 1);
    assert.equal((await browser.get('/portal')).url.pathname, '/portal/sign-in');
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
      assert.equal(refused.status, 403);
      assert.match(textOf(refused), reason);
    }
    assert.equal((await browser.post('/portal/sign-in', good)).url.pathname, '/portal');
  });

  it('of a page from before the sign-in are refused after it', async () => {
    const browser = new Browser(app.base);
    const before = await browser.get('/portal/sign-in');
    await browser.submit(before, '/portal/sign-in', fields);
    assert.equal((await browser.submit(before, '/portal/sign-in', fields)).status, 403);
  });

  it('are taken urlencoded alone, and up to 64 KiB', async () => {
    const post = (body: string, type: string) =>
      fetch(`${app.base}/portal/sign-in`, { method: 'POST', body, headers: { 'content-type': type, origin: app.base } });
    assert.equal((await post('{}', 'application/json')).status, 415);
    assert.equal((await post(`email=${'x'.repeat(70_000)}`, 'application/x-www-form-urlencoded')).status, 413);
  });
});

describe('headers', () => {
  it('of a page forbid frames, inline scripts and caches', async () => {
    const { headers } = await new Browser(app.base).get('/portal/sign-in');
    const policy = headers.get('content-security-policy') ?? '';
    for (const directive of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"])
      assert.ok(policy.includes(directive), policy);
    assert.ok(!policy.includes('unsafe') && !policy.includes('form-action'), policy);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'same-origin');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    const home = await signIn('climber@skyline.example');
    assert.match(home.headers.get('content-security-policy') ?? '', /form-action 'self'/);
  });

  it('of a cookie bind it to the host and keep scripts off; over https with __Host- and Secure', async () => {
    const plain = await fetch(`${app.base}/portal/sign-in`);
    assert.match(plain.headers.getSetCookie().join(), /^lanyard_visit=[\w-]{43}; path=\/; samesite=lax; httponly$/i);
    const secure = await startApp({ BASE_URL: 'https://lanyard.example' });
    const { headers } = await fetch(`${secure.base}/portal/sign-in`);
    assert.match(headers.getSetCookie().join(), /^__Host-lanyard_visit=[\w-]{43}; path=\/; samesite=lax; secure; httponly$/i);
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
      assert.equal(response.status, 200, path);
      assert.ok(response.headers.get('content-type')?.includes(type ?? ''), path);
      assert.equal(response.headers.get('cache-control'), 'max-age=300');
    }
    for (const path of ['/assets/', '/assets/..%2fpackage.json', '/assets/%2e%2e/package.json', '/assets/nothing']) {
      const response = await fetch(app.base + path);
      assert.ok(response.status === 404 || response.status === 403, `${path} ${response.status}`);
    }
  });
});

describe('attempts', () => {
  it('are limited for an account, in all processes together, and the right password does not help then', async () => {
    await forgetAttempts();
    const other = await startServer({ DATABASE_URL: app.url, BASE_URL: app.base, NODE_ENV: 'test' });
    after(() => other.child.kill());
    const browser = new Browser(app.base);
    const page = await browser.get('/portal/sign-in');
    const elsewhere = new Browser(other.base);
    const pageElsewhere = await elsewhere.get('/portal/sign-in');
    const tryHere = (password: string) => browser.submit(page, '/portal/sign-in', { email: 'manager@skyline.example', password });
    const tryThere = (password: string) => {
      const { fields } = formsOf(pageElsewhere.html)[0] ?? { fields: {} };
      return elsewhere.post('/portal/sign-in', { ...fields, email: 'MANAGER@skyline.example', password }, { origin: app.base });
    };
    const guesses = await Promise.all(
      Array.from({ length: attemptsPerAccount + 6 }, (_, index) => (index % 2 ? tryHere : tryThere)(`guess number ${index}`)),
    );
    const statuses = guesses.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(attemptsPerAccount).fill(422), ...Array(6).fill(429)]);
    for (const late of [await tryHere(demoPassword), await tryThere(demoPassword)]) {
      assert.equal(late.status, 429);
      assert.match(textOf(late), /too many attempts: wait \d+ minutes/);
      assert.ok(Number(late.headers.get('retry-after')) > 800);
    }
    assert.equal((await signIn('climber@skyline.example')).status, 200);
  });

  it('are limited for an address', async () => {
    await forgetAttempts();
    await app.db.query(`insert into sign_in_attempts values ('address:127.0.0.1', 60, $1)`, [Date.now() + 60_000]);
    const refused = await signIn('climber@skyline.example');
    assert.equal(refused.status, 429);
    assert.match(textOf(refused), /wait a minute/);
    await forgetAttempts();
  });

  it('are forgotten after a sign-in', async () => {
    await forgetAttempts();
    for (let round = 0; round < 3; round++) {
      for (let attempt = 0; attempt < attemptsPerAccount - 2; attempt++) await signIn('manager@skyline.example', 'a wrong one');
      assert.equal((await signIn('manager@skyline.example')).url.pathname, '/portal');
    }
    assert.deepEqual(await app.db.query(`select points from sign_in_attempts where key like 'account:%'`), []);
    await forgetAttempts();
  });
});

describe('sessions', () => {
  const isSignedIn = async (browser: Browser) => (await browser.get('/portal')).url.pathname === '/portal';

  it('end when unused for 12 hours, after a week, and when the user is disabled', async () => {
    const browser = new Browser(app.base);
    await signIn('keisha.broussard@skyline.example', demoPassword, '/portal', browser);
    const where = `where user_id = (select id from users where email = 'keisha.broussard@skyline.example')`;
    const set = (change: string) => app.db.query(`update web_sessions set ${change} ${where}`);
    assert.equal(await isSignedIn(browser), true);
    await set(`seen_at = now() - interval '12 hours'`);
    assert.equal(await isSignedIn(browser), false);
    await set(`seen_at = now(), created_at = now() - interval '7 days'`);
    assert.equal(await isSignedIn(browser), false);
    await set(`created_at = now()`);
    assert.equal(await isSignedIn(browser), true);
    await app.db.query(`update users set status = 'disabled' where email = 'keisha.broussard@skyline.example'`);
    assert.equal(await isSignedIn(browser), false);
  });

  it('stay alive while used', async () => {
    const browser = new Browser(app.base);
    await signIn('caleb.stone@skyline.example', demoPassword, '/portal', browser);
    await app.db.query(`update web_sessions set seen_at = now() - interval '11 hours'`);
    assert.equal(await isSignedIn(browser), true);
    const [row] = await app.db.query<{ fresh: boolean }>(
      `select seen_at > now() - interval '1 minute' as fresh from web_sessions s join users u on u.id = s.user_id where u.email = 'caleb.stone@skyline.example'`,
    );
    assert.equal(row?.fresh, true);
  });

  it('are not to be had from the database', async () => {
    const browser = new Browser(app.base);
    await signIn('caleb.stone@skyline.example', demoPassword, '/portal', browser);
    const rows = await app.db.query<{ hash: Buffer }>('select secret_hash as hash from web_sessions');
    for (const { hash } of rows) {
      const response = await fetch(`${app.base}/portal`, {
        redirect: 'manual',
        headers: { cookie: `lanyard_session=${hash.toString('base64url')}` },
      });
      assert.equal(response.status, 303);
    }
  });

  it('and links, challenges and attempts are purged once they have expired, and not before', async () => {
    const [caleb] = await app.db.query<{ id: string }>(`select id from users where email = 'caleb.stone@skyline.example'`);
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
    await app.db.query(`insert into passkey_challenges values ('old', '', now()), ('new', '', now() + interval '1 minute')`);
    await app.db.query('insert into sign_in_attempts values ($1, 1, $3), ($2, 1, $4)', ['old', 'new', Date.now(), Date.now() + 60_000]);
    const { web_sessions, one_time_links, passkey_challenges, sign_in_attempts } = await purgeExpired(app.db);
    assert.deepEqual([web_sessions, one_time_links, passkey_challenges, sign_in_attempts], [1, 1, 1, 1]);
    assert.deepEqual(await app.db.query('select challenge from passkey_challenges'), [{ challenge: 'new' }]);
  });
});
