import { decodeJwt, SignJWT } from 'jose';
import { KeyRing } from '../../../src/auth/keys.js';
import { ensure } from '../../support/expect.js';
import { Browser, formsOf, type Visit } from './browser.js';
import { climber, meStatus, startOAuthApp, ThirdParty } from './client.js';

const app = await startOAuthApp();
const reader = ThirdParty.reader(app.base);

/** A browser in which the climber signed in to the app. */
async function signedIn() {
  const browser = new Browser(app.base);
  const { body } = await reader.redeem(await reader.authorize(browser, climber));
  return { browser, issued: body };
}

const logout = (browser: Browser, parameters: Record<string, string>) =>
  browser.get(`${reader.issuer}/logout?${new URLSearchParams(parameters)}`);
const confirm = (browser: Browser, page: Visit, choice: Record<string, string>) =>
  browser.submit(page, '/logout/confirm', choice);
const asksPassword = async (browser: Browser) =>
  (await browser.get(await reader.request('v'.repeat(43)))).html.includes('name="password"');

describe('GET /logout', () => {
  test('asks, signs out of the portal too, and leads back to the app with its state', async () => {
    const { browser, issued } = await signedIn();
    const page = await logout(browser, {
      id_token_hint: issued.id_token,
      post_logout_redirect_uri: reader.redirectUri,
      state: 'bye',
    });
    expect(page.status).toBe(200);
    expect(page.html).toMatch(/Demo Reader asks to sign you out/);
    expect(page.headers.get('content-security-policy') ?? '').toMatch(/frame-ancestors 'none'/);
    const end = await confirm(browser, page, { logout: 'yes' });
    expect(end.url.href).toBe(`${reader.redirectUri}?state=bye`);
    expect((await browser.get('/portal/account')).url.pathname).toBe('/portal/sign-in');
    expect(await asksPassword(browser)).toBe(true);
    expect(await meStatus(app.base, issued.access_token)).toBe(200);
  });

  test('an ID token that has expired is still a hint; one that was tampered with is none', async () => {
    const { browser, issued } = await signedIn();
    const keys = new KeyRing(app.db, app.config);
    await keys.reload();
    const { privateKey, kid } = keys.signer('id_token');
    const { sub } = decodeJwt(issued.id_token);
    const expired = await new SignJWT({
      sub: sub ?? '',
      iss: reader.issuer,
      aud: 'demo-reader',
      iat: 1,
      exp: 2,
    })
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(privateKey);
    expect((await logout(browser, { id_token_hint: expired })).status).toBe(200);
    expect((await logout(browser, { id_token_hint: expired.slice(0, -9) })).status).toBe(400);
  });

  test('the person may stay signed in', async () => {
    const { browser } = await signedIn();
    const end = await confirm(browser, await logout(browser, { client_id: 'demo-reader' }), {});
    expect(end.status).toBe(200);
    expect(await asksPassword(browser)).toBe(false);
  });

  test('needs no app', async () => {
    const { browser } = await signedIn();
    const end = await confirm(browser, await logout(browser, {}), { logout: 'yes' });
    expect([end.status, end.url.pathname]).toEqual([200, '/auth/v1/oauth/logout/success']);
    expect(await asksPassword(browser)).toBe(true);
  });

  test('400 and no redirect for an address that is not registered, or an unknown app', async () => {
    const { browser, issued } = await signedIn();
    for (const parameters of [
      { post_logout_redirect_uri: 'https://evil.example/' },
      { post_logout_redirect_uri: `${reader.redirectUri}/` },
    ]) {
      const page = await logout(browser, { id_token_hint: issued.id_token, ...parameters });
      expect([page.status, page.url.origin]).toStrictEqual([400, app.base]);
    }
    expect((await logout(browser, { client_id: 'nobody' })).status).toBe(400);
  });

  test('the confirmation is refused without its token', async () => {
    const { browser } = await signedIn();
    const form = formsOf((await logout(browser, {})).html).find(({ action }) =>
      action.endsWith('/logout/confirm'),
    );
    ensure(form?.fields.xsrf);
    expect((await browser.post(form.action, { xsrf: 'wrong', logout: 'yes' })).status).toBe(400);
    expect(await asksPassword(browser)).toBe(false);
  });
});
