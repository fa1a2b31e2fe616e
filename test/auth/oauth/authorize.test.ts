import * as oauth from 'oauth4webapi';
import { demoPassword } from '../../../src/demo/people.js';
import { ensure } from '../../support/expect.js';
import { Browser, formsOf } from './browser.js';
import { admin, allow, climber, signIn, startOAuthApp, ThirdParty } from './client.js';

const app = await startOAuthApp();
const reader = ThirdParty.reader(app.base);
const as = await reader.discover();
const verifier = oauth.generateRandomCodeVerifier();

/** Where an authorization request ends for somebody who isn't signed in. */
const ask = async (change: Record<string, string | undefined>) =>
  new Browser(app.base).get(await reader.request(verifier, change));

describe('GET /authorize', () => {
  test('asks who is there, then what the app may, and sends back a code with the same state and iss', async () => {
    const browser = new Browser(app.base);
    const state = 'a state: ä+/&=';
    const atSignIn = await browser.get(await reader.request(verifier, { state }));
    expect(atSignIn.url.pathname).toMatch(/^\/portal\/interactions\//);
    expect(atSignIn.html).toMatch(/name="password"/);
    const atConsent = await signIn(browser, atSignIn, climber);
    expect(atConsent.html).toMatch(/Demo Reader/);
    const end = await allow(browser, atConsent);
    expect(`${end.url.origin}${end.url.pathname}`).toBe(reader.redirectUri);
    expect(end.url.searchParams.get('state')).toBe(state);
    expect(end.url.searchParams.get('iss')).toBe(reader.issuer);
    expect(oauth.validateAuthResponse(as, reader.client, end.url, state).get('code')).toBeTruthy();
  });

  test('sends no state back when none came', async () => {
    const { callback } = await reader.authorize(new Browser(app.base), climber);
    expect([...callback.keys()].sort()).toEqual(['code', 'iss']);
  });

  test('does not ask again who is signed in, nor what the person allowed the app in this session', async () => {
    const browser = new Browser(app.base);
    const first = await reader.authorize(browser, climber);
    const second = await browser.get(await reader.request(verifier));
    expect(second.url.searchParams.get('code')).toBeTruthy();
    expect(second.url.searchParams.get('code')).not.toBe(first.code);
  });

  test('does not ask for a password when the person is signed in to the portal', async () => {
    const browser = new Browser(app.base);
    await browser.submit(await browser.get('/portal/sign-in'), '/sign-in', {
      email: climber,
      password: demoPassword,
    });
    const visit = await browser.get(await reader.request(verifier));
    expect(visit.html).not.toMatch(/name="password"/);
    expect((await allow(browser, visit)).url.searchParams.get('code')).toBeTruthy();
  });

  test('asks for a password again once the person signed out of the portal', async () => {
    const browser = new Browser(app.base);
    await reader.authorize(browser, climber);
    await browser.submit(await browser.get('/portal'), '/sign-out');
    expect((await browser.get(await reader.request(verifier))).html).toMatch(/name="password"/);
  });

  test('prompt=login asks for the password again, and takes another person', async () => {
    const browser = new Browser(app.base);
    await reader.authorize(browser, climber);
    const atSignIn = await browser.get(await reader.request(verifier, { prompt: 'login' }));
    expect(atSignIn.html).toMatch(/name="password"/);
    const end = await allow(browser, await signIn(browser, atSignIn, admin));
    const answer = await reader.redeem({
      callback: end.url.searchParams,
      code: end.url.searchParams.get('code') ?? '',
      verifier,
    });
    const me = await app.rest('GET', '/v1/me', { token: answer.body.access_token });
    expect(me.body.data.user.email).toBe(admin);
  });

  test('prompt=consent asks again what the app may', async () => {
    const browser = new Browser(app.base);
    await reader.authorize(browser, climber);
    expect((await browser.get(await reader.request(verifier, { prompt: 'consent' }))).html).toMatch(
      /\/allow"/,
    );
  });

  test('prompt=none gives login_required without a session, and a code with one', async () => {
    const browser = new Browser(app.base);
    expect(
      (await browser.get(await reader.request(verifier, { prompt: 'none' }))).url.searchParams.get(
        'error',
      ),
    ).toBe('login_required');
    await reader.authorize(browser, climber);
    expect(
      (await browser.get(await reader.request(verifier, { prompt: 'none' }))).url.searchParams.get(
        'code',
      ),
    ).toBeTruthy();
  });

  test('max_age=0 asks for the password again', async () => {
    const browser = new Browser(app.base);
    await reader.authorize(browser, climber);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect((await browser.get(await reader.request(verifier, { max_age: '0' }))).html).toMatch(
      /name="password"/,
    );
  });

  test('login_hint is in the form already', async () => {
    expect((await ask({ login_hint: climber })).html).toMatch(new RegExp(`value="${climber}"`));
  });

  test('denied: access_denied, with the state', async () => {
    const browser = new Browser(app.base);
    const atConsent = await signIn(
      browser,
      await browser.get(await reader.request(verifier, { state: 's' })),
      climber,
    );
    const end = await browser.submit(atConsent, '/deny');
    expect(end.url.origin).toBe(new URL(reader.redirectUri).origin);
    expect(
      Object.fromEntries(
        [...end.url.searchParams].filter(([name]) => name !== 'error_description'),
      ),
    ).toStrictEqual({
      error: 'access_denied',
      state: 's',
      iss: reader.issuer,
    });
  });

  for (const [what, change, error] of [
    [
      'no challenge',
      { code_challenge: undefined, code_challenge_method: undefined },
      'invalid_request',
    ],
    ['a challenge without method', { code_challenge_method: undefined }, 'invalid_request'],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['response_type=token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response_type=code token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['an unknown resource', { resource: 'https://other.example/v1' }, 'invalid_target'],
  ] as const) {
    test(`${what}: ${error} at the redirect URI`, async () => {
      const { url } = await ask({ ...change, state: 's' });
      const parameters = new URLSearchParams(url.search || url.hash.slice(1));
      expect(`${url.origin}${url.pathname}`).toBe(reader.redirectUri);
      expect(parameters.get('error')).toBe(error);
      expect(parameters.get('state')).toBe('s');
      expect(parameters.get('code')).toBeNull();
    });
  }

  const uri = new URL(reader.redirectUri);
  for (const [what, change] of [
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['an extra slash', { redirect_uri: `${uri}/` }],
    ['another scheme', { redirect_uri: `${uri}`.replace('http:', 'https:') }],
    ['another host', { redirect_uri: `${uri}`.replace('127.0.0.1', 'localhost') }],
    ['another case', { redirect_uri: `${uri}`.replace('callback', 'Callback') }],
    ['another port', { redirect_uri: `${uri}`.replace(uri.port, '4101') }],
    ['a query', { redirect_uri: `${uri}?a=b` }],
    ['user information', { redirect_uri: `${uri}`.replace('//', '//me@') }],
    ['a fragment', { redirect_uri: `${uri}#a` }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
  ] as const) {
    test(`${what}: a page with status 400, and no redirect`, async () => {
      const visit = await ask(change);
      expect(visit.status).toBe(400);
      expect(visit.url.origin).toBe(app.base);
      expect(visit.headers.get('content-type') ?? '').toMatch(/^text\/html/);
      expect(visit.html).toMatch(/invalid_(request|client|redirect_uri)/);
    });
  }

  test('an app that was disabled is unknown', async () => {
    await app.db.query(`update apps set status = 'disabled' where client_id = 'demo-pending'`);
    const visit = await new Browser(app.base).get(
      await new ThirdParty(app.base, 'demo-pending').request(verifier),
    );
    expect(visit.status).toBe(400);
    await app.db.query(`update apps set status = 'active' where client_id = 'demo-pending'`);
  });

  for (const [asked, granted] of [
    [undefined, 'profile email'],
    ['', 'profile email'],
    ['something:else', 'profile email'],
    ['certification_records:read organizations:write', 'profile email'],
    ['openid certification_records:read', 'openid'],
    ['email openid offline_access', 'openid email'],
  ] as const) {
    test(`scope ${asked === undefined ? 'left out' : `"${asked}"`} means "${granted}"`, async () => {
      const { scope, id_token } = await reader.signIn(climber, { scope: asked });
      expect(scope).toBe(granted);
      expect(id_token !== undefined).toBe(granted.includes('openid'));
    });
  }
});

describe('pages of a sign-in', () => {
  test("forbid frames and inline scripts, and are not stored, and leave form-action to the app's redirect", async () => {
    const browser = new Browser(app.base);
    const atSignIn = await browser.get(await reader.request(verifier));
    const problem = await ask({ client_id: 'nobody' });
    const atConsent = await signIn(browser, atSignIn, climber);
    for (const visit of [atSignIn, atConsent])
      expect(visit.headers.get('content-security-policy') ?? '').not.toMatch(/form-action/);
    for (const visit of [atSignIn, atConsent, problem]) {
      const policy = visit.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/frame-ancestors 'none'/);
      expect(policy).toMatch(/script-src 'self'(;|$)/);
      expect(policy).not.toMatch(/unsafe/);
      expect(visit.headers.get('cache-control')).toBe('no-store');
    }
  });

  test('take a form only with the cookies, the token and the origin of the page', async () => {
    for (const end of ['/sign-in', '/deny']) {
      const browser = new Browser(app.base);
      const page = await browser.get(await reader.request(verifier));
      const form = formsOf(page.html).find(({ action }) => action.endsWith(end));
      ensure(form);
      const fields = { ...form.fields, email: climber, password: demoPassword };
      const foreign = await browser.post(form.action, fields, { origin: 'https://evil.example' });
      const unsigned = await browser.post(form.action, { ...fields, csrf: 'AAAA' });
      const bare = await new Browser(app.base).post(form.action, fields);
      for (const refused of [foreign, unsigned, bare]) {
        ensure(refused.status === 403 || refused.status === 404, `${end}: ${refused.status}`);
        expect(refused.url.origin).toBe(app.base);
      }
    }
  });

  test('an interaction that ended, or is of another browser, is no way in', async () => {
    const browser = new Browser(app.base);
    const page = await browser.get(await reader.request(verifier));
    expect((await new Browser(app.base).get(page.url)).status).toBe(404);
    await allow(browser, await signIn(browser, page, climber));
    expect((await browser.get(page.url)).status).toBe(404);
  });

  test('nobody consents for somebody else who was signed in to the browser before', async () => {
    const browser = new Browser(app.base);
    const atConsent = await signIn(
      browser,
      await browser.get(await reader.request(verifier)),
      climber,
    );
    await browser.submit(await browser.get('/portal'), '/sign-out');
    await browser.submit(await browser.get('/portal/sign-in'), '/sign-in', {
      email: admin,
      password: demoPassword,
    });
    expect((await browser.get(atConsent.url)).status).toBe(404);
  });

  test('cookies are kept from scripts and from other sites, and signed', async () => {
    const response = await fetch(await reader.request(verifier), { redirect: 'manual' });
    const cookies = response.headers.getSetCookie();
    expect(cookies.some((cookie) => cookie.startsWith('lanyard_interaction.sig='))).toBe(true);
    for (const cookie of cookies) expect(cookie).toMatch(/; httponly/i);
    for (const cookie of cookies) expect(cookie).toMatch(/; samesite=lax/i);
  });
});
