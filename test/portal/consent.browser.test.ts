import * as oauth from 'oauth4webapi';
import type { Page } from 'playwright-core';
import { demoRedirectUri } from '../../src/demo/apps.js';
import { ThirdParty } from '../auth/oauth/client.js';
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
const reader = new ThirdParty(app.origin, 'demo-reader');
const verifier = oauth.generateRandomCodeVerifier();

/** A page in which an app asks for a sign-in. */
async function ask(page: Page, thirdParty = reader): Promise<Page> {
  await page.goto((await thirdParty.request(verifier, { state: 'kept' })).href);
  return page;
}
/** A page of a person who is signed in to the portal. */
const pageOf = (email: string) => openPageOf(browser, app, email);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const redeem = (thirdParty: ThirdParty, callback: URLSearchParams) =>
  thirdParty.redeem({ callback, code: callback.get('code') ?? '', verifier });

async function whoami(token: string) {
  const response = await app.rest('GET', '/v1/me', { token });
  expect([response.text, response.status]).toStrictEqual([response.text, 200]);
  return response.body.data;
}

describe('sign-in and consent for an app', () => {
  it('leads to a code, a token and the API', async () => {
    const page = await ask(await openPage(browser));
    await page.getByText('to continue to Demo Reader').waitFor();
    await inspect(page, 'sign-in for an app');
    await signIn(page, 'climber@skyline.example');
    await page.getByRole('heading', { name: 'Allow Demo Reader?' }).waitFor();
    await page
      .getByText('See certification records: holders, dates, issuers and verification')
      .waitFor();
    await page.getByText('Approved by Rosalind Achebe').waitFor();
    await inspect(page, 'consent');
    const callback = await callbackOf(page, demoRedirectUri, () => press(page, 'Allow'));
    expect(callback.get('state')).toBe('kept');
    const { status, body } = await redeem(reader, callback);
    expect([body, status]).toStrictEqual([expect.anything(), 200]);
    const me = await whoami(body.access_token);
    expect(me.user.email).toBe('climber@skyline.example');
    expect(me.app.client_id).toBe('demo-reader');
  });

  it('tells the app when the person does not allow it', async () => {
    const page = await ask(await pageOf('climber@skyline.example'));
    const callback = await callbackOf(page, demoRedirectUri, () => press(page, "Don't allow"));
    expect(callback.get('error')).toBe('access_denied');
    expect(callback.get('state')).toBe('kept');
    expect(callback.get('code')).toBeNull();
  });

  it('tells the app when the person cancels the sign-in', async () => {
    const page = await ask(await openPage(browser));
    const callback = await callbackOf(page, demoRedirectUri, () =>
      press(page, 'Cancel and go back to Demo Reader'),
    );
    expect(callback.get('error')).toBe('access_denied');
  });

  it('shows the reason and keeps the app when the password is wrong', async () => {
    const page = await ask(await openPage(browser));
    await signIn(page, 'climber@skyline.example', 'not the password');
    await page.getByText('The e-mail address or the password is wrong.').waitFor();
    await page.getByText('to continue to Demo Reader').waitFor();
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('climber@skyline.example');
    await signIn(page, 'climber@skyline.example');
    await page.getByRole('heading', { name: 'Allow Demo Reader?' }).waitFor();
  });

  it('asks nobody for the password who is signed in to the portal', async () => {
    const page = await openPage(browser);
    await page.goto(`${app.origin}/portal`);
    await signIn(page, 'manager@skyline.example');
    await ask(page);
    await page.getByText('Signed in as manager@skyline.example.').waitFor();
  });

  it('asks for the password again when the app wants that', async () => {
    const page = await pageOf('manager@skyline.example');
    await page.goto(
      (await reader.request(verifier, { prompt: 'login', login_hint: 'climber@skyline.example' }))
        .href,
    );
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('climber@skyline.example');
    await signIn(page, 'climber@skyline.example');
    await page.getByText('Signed in as climber@skyline.example.').waitFor();
    expect(
      (await callbackOf(page, demoRedirectUri, () => press(page, 'Allow'))).get('code'),
    ).toBeTruthy();
  });

  it('asks again for whoever says "Not you?"', async () => {
    const page = await ask(await pageOf('climber@skyline.example'));
    await press(page, 'Not you?');
    await signIn(page, 'manager@skyline.example');
    await page.getByText('Signed in as manager@skyline.example.').waitFor();
    const callback = await callbackOf(page, demoRedirectUri, () => press(page, 'Allow'));
    const { body } = await redeem(reader, callback);
    expect((await whoami(body.access_token)).user.email).toBe('manager@skyline.example');
  });

  it("says in each of the person's organizations what is approved, and what waits", async () => {
    const page = await ask(
      await pageOf('both@skyline.example'),
      new ThirdParty(app.origin, 'demo-pending'),
    );
    const rows = page.locator('ul.rows > li');
    expect((await rows.nth(0).textContent()) ?? '').toMatch(
      /Skyline Towers approved in part.*waits for an admin\./,
    );
    expect((await rows.nth(1).textContent()) ?? '').toMatch(
      /Harbor Fiber waiting.*until an admin of Harbor Fiber approves/,
    );
    await inspect(page, 'consent waiting');
  });

  it('does not ask for a first-party app', async () => {
    const dashboard = new ThirdParty(app.origin, 'demo-dashboard');
    const page = await ask(await openPage(browser), dashboard);
    const callback = await callbackOf(page, demoRedirectUri, () =>
      signIn(page, 'admin@skyline.example'),
    );
    expect((await redeem(dashboard, callback)).status).toBe(200);
  });

  it('says so when the sign-in has ended', async () => {
    const page = await openPage(browser);
    await page.goto(`${app.origin}/portal/interactions/never-was`);
    await page.getByText('go back to the app and start again').waitFor();
    await inspect(page, 'interaction ended');
  });

  it('can be done with the keyboard alone', async () => {
    const page = await ask(await openPage(browser));
    await page.keyboard.type('climber@skyline.example');
    await page.keyboard.press('Tab');
    await page.keyboard.type('climb-safe-2026');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Allow Demo Reader?' }).waitFor();
    const allow = page.getByRole('button', { name: 'Allow', exact: true });
    for (
      let presses = 0;
      presses < 20 && !(await allow.evaluate((button) => button === document.activeElement));
      presses++
    )
      await page.keyboard.press('Tab');
    const callback = await callbackOf(page, demoRedirectUri, () => page.keyboard.press('Enter'));
    expect(callback.get('code')).toBeTruthy();
  });

  it('can be done on a phone', async () => {
    const page = await openPage(browser, {
      viewport: { width: 390, height: 700 },
      isMobile: true,
      hasTouch: true,
    });
    await ask(page);
    await page.getByLabel('E-mail address').fill('climber@skyline.example');
    await page.getByLabel('Password').fill('climb-safe-2026');
    await page.getByRole('button', { name: 'Sign in', exact: true }).tap();
    const callback = await callbackOf(page, demoRedirectUri, () =>
      page.getByRole('button', { name: 'Allow', exact: true }).tap(),
    );
    expect(callback.get('code')).toBeTruthy();
  });
});
