import type { CDPSession, Page } from 'playwright-core';
import { demoRedirectUri } from '../../src/demo/apps.js';
import { startOAuthApp, ThirdParty } from '../auth/oauth/client.js';
import {
  callbackOf,
  openPage,
  openPageOf,
  signIn,
  startBrowser,
  startPortal,
} from '../support/browser.js';
import { inspect } from '../support/inspect.js';

const app = await startPortal();
const browser = await startBrowser();
const atAddress = await startOAuthApp();

/** A page whose device has a built-in authenticator that recognizes its owner. */
async function giveAuthenticator(
  page: Page,
): Promise<{ page: Page; device: CDPSession; authenticatorId: string }> {
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { page, device, authenticatorId };
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto(`${app.origin}/portal/account`);
  await page.getByLabel('Name of the passkey').fill(name);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('The passkey is added').waitFor();
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describe('a passkey', () => {
  it('is added, signs in, also for an app, and is removed', async () => {
    const { page } = await giveAuthenticator(await openPage(browser));
    await page.goto(`${app.origin}/portal/sign-in`);
    await signIn(page, 'climber@skyline.example');
    await addPasskey(page, 'Work phone');
    await page.getByText('not used yet').waitFor();
    await inspect(page, 'account with a passkey');

    await press(page, 'Sign out');
    await press(page, 'Sign in with a passkey');
    await page.getByText('Signed in as climber@skyline.example').waitFor();

    await press(page, 'Sign out');
    const reader = new ThirdParty(app.origin, 'demo-reader');
    await page.goto((await reader.request('v'.repeat(43))).href);
    await press(page, 'Sign in with a passkey');
    await page.getByRole('heading', { name: 'Allow Demo Reader?' }).waitFor();
    expect(
      (await callbackOf(page, demoRedirectUri, () => press(page, 'Allow'))).get('code'),
    ).toBeTruthy();

    await page.goto(`${app.origin}/portal/account`);
    await page.getByText('last used').waitFor();
    await press(page, 'Remove Work phone');
    await page.getByText('The passkey is removed').waitFor();
    await press(page, 'Sign out');
    await press(page, 'Sign in with a passkey');
    await page.getByText('Lanyard does not know this passkey').waitFor();
    await inspect(page, 'sign-in with an unknown passkey');
  });

  it('is refused when its challenge is stale, or another browser was asked', async () => {
    const { page } = await giveAuthenticator(
      await openPageOf(browser, app, 'manager@skyline.example'),
    );
    await addPasskey(page, 'Laptop');
    await press(page, 'Sign out');
    let spoil = '';
    await page.route('**/portal/sign-in/passkey', async (route) => {
      if (spoil) await app.db.query(spoil);
      await route.continue();
    });
    for (spoil of [
      `update passkey_challenges set expires_at = now()`,
      `update passkey_challenges set browser_hash = '\\x00'`,
    ]) {
      await press(page, 'Sign in with a passkey');
      await page.getByText('The passkey could not be verified').waitFor();
      await page.goto(`${app.origin}/portal/sign-in`);
    }
    spoil = '';
    await press(page, 'Sign in with a passkey');
    await page.getByText('Signed in as manager@skyline.example').waitFor();
  });

  it('is refused when the same answer comes again', async () => {
    const { page } = await giveAuthenticator(
      await openPageOf(browser, app, 'both@skyline.example'),
    );
    await addPasskey(page, 'Phone');
    await press(page, 'Sign out');
    const credential = page
      .waitForRequest('**/portal/sign-in/passkey')
      .then((request) => new URLSearchParams(request.postData() ?? '').get('credential'));
    await press(page, 'Sign in with a passkey');
    await page.getByText('Signed in as both@skyline.example').waitFor();
    await press(page, 'Sign out');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.evaluate(
      (answer) => {
        const form = document.querySelector<HTMLFormElement>('[data-passkey] form');
        const field = form?.elements.namedItem('credential') as HTMLInputElement;
        field.value = answer ?? '';
        form?.submit();
      },
      await credential,
    );
    await page.getByText('The passkey could not be verified').waitFor();
  });

  it('that the person cancels says so', async () => {
    const { page, device, authenticatorId } = await giveAuthenticator(await openPage(browser));
    await page.goto(`${app.origin}/portal/sign-in`);
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await press(page, 'Sign in with a passkey');
    await page.getByText('The passkey was not used').waitFor();
  });

  it('is added only by somebody who signed in just now', async () => {
    const { page } = await giveAuthenticator(
      await openPageOf(browser, app, 'caleb.stone@skyline.example'),
    );
    await page.goto(`${app.origin}/portal/account`);
    await page.getByLabel('Name of the passkey').fill('Stranger');
    await app.db.query(`update web_sessions set created_at = now() - interval '15 minutes'`);
    await press(page, 'Add a passkey');
    await page.getByText('This page is out of date').waitFor();
    await page.reload();
    await press(page, 'Sign in again');
    await signIn(page, 'caleb.stone@skyline.example');
    await addPasskey(page, 'My phone');
  });

  it('is not offered at an IP address', async () => {
    const page = await openPage(browser);
    await page.goto(`${atAddress.base}/portal/account`);
    await signIn(page, 'climber@skyline.example');
    await page.getByText('Passkeys need a domain name').waitFor();
    await inspect(page, 'account without passkeys');
  });
});
