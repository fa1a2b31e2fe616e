/** Who can get a token through the app of the API reference: the person alone, on its own page. */
import { openSession } from '../../../src/auth/accounts/sessions.js';
import { enableOwnApp, referenceApp } from '../../../src/auth/apps/own.js';
import { Browser } from '../../auth/oauth/browser.js';
import { climber, startOAuthApp, ThirdParty } from '../../auth/oauth/client.js';
import { nobody } from '../../support/changes.js';
import { userId } from '../../support/names.js';

const app = await startOAuthApp();
await enableOwnApp(app.db, nobody, app.config, referenceApp);
const reference = new ThirdParty(app.base, referenceApp.clientId, `${app.config.BASE_URL}/docs`);
const verifier = 'v'.repeat(43);

const openCookie = () =>
  openSession(app.db.em, userId(climber), 'password', { userAgent: '', address: '127.0.0.1' });

/** A browser with a session of the person. */
async function signedIn(): Promise<Browser> {
  const browser = new Browser(app.base);
  browser.remember('lanyard_session', await openCookie());
  return browser;
}

const ask = async (browser: Browser, change: Record<string, string | undefined>) =>
  browser.get(await reference.request(verifier, { state: 's', ...change }));

test('a code goes to the page of the reference and nowhere else', async () => {
  const browser = await signedIn();
  for (const redirect_uri of [
    'https://evil.example/docs',
    `${app.config.BASE_URL}/docs/`,
    `${app.config.BASE_URL}/docs?next=https://evil.example`,
    `${app.config.BASE_URL}/docs/search`,
    `${app.config.BASE_URL}/portal`,
  ]) {
    const { status, url } = await ask(browser, { redirect_uri });
    expect([redirect_uri, status, url.searchParams.get('code')]).toStrictEqual([
      redirect_uri,
      400,
      null,
    ]);
  }
  const { url } = await ask(browser, {});
  expect(url.origin + url.pathname).toBe(reference.redirectUri);
});

test('a request without PKCE, or for a token in the address or a message, gets no code', async () => {
  const browser = await signedIn();
  for (const change of [
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge_method: 'plain' },
    { response_type: 'token' },
    { response_mode: 'web_message' },
  ]) {
    const { url } = await ask(browser, change);
    expect([change, /[?#&](?:code|access_token)=/.test(url.href)]).toStrictEqual([change, false]);
  }
});

test('a code is worth nothing without the verifier of the page that asked', async () => {
  const got = await reference.authorize(await signedIn(), climber, { state: 's' });
  expect((await reference.redeem({ ...got, verifier: 'w'.repeat(43) })).body.error).toBe(
    'invalid_grant',
  );
});

test('the settings have no secret, are not readable by other origins, and set no session', async () => {
  const response = await fetch(`${app.base}/docs/try`, {
    headers: { origin: 'https://evil.example' },
  });
  expect(await response.json()).toStrictEqual({
    client_id: referenceApp.clientId,
    origin: new URL(app.config.BASE_URL).origin,
  });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('no page frames the reference, its sign-in or its return', async () => {
  const request = await reference.request(verifier, { prompt: 'none' });
  for (const address of ['/docs', '/docs?code=a&state=b', '/docs/try', request.href]) {
    const response = await fetch(new URL(address, app.base), {
      headers: { accept: 'text/html' },
      redirect: 'manual',
    });
    const isRedirect = response.status === 303;
    const isFramed = response.headers.get('x-frame-options') !== 'DENY' && !isRedirect;
    expect([address, isFramed && response.headers.get('content-type')?.includes('html')]).toEqual([
      address,
      false,
    ]);
  }
});

test('a session cookie alone reads and writes nothing of the API', async () => {
  const cookie = `lanyard_session=${await openCookie()}`;
  for (const [method, path] of [
    ['GET', '/v1/me'],
    ['POST', '/v1/certifications'],
  ] as const) {
    const { status } = await app.rest(method, path, {
      headers: { cookie, origin: 'https://evil.example' },
      ...(method === 'POST' && { body: {} }),
    });
    expect([path, status]).toStrictEqual([path, 401]);
  }
});
