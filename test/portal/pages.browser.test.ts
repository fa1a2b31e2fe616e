import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLink } from '../../src/auth/accounts/links.js';
import { demoId } from '../../src/demo/ids.js';
import { packageRoot } from '../../src/root.js';
import { openPage, openPageOf, signIn, startBrowser, startPortal } from '../support/browser.js';
import { inspect } from '../support/inspect.js';

const nobody = { userId: null, appId: null, requestId: null };
const app = await startPortal();
const browser = await startBrowser();

describe('every page, wide and narrow, in light and dark', () => {
  it('sign-in, empty and refused', async () => {
    const page = await openPage(browser);
    await page.goto(`${app.origin}/portal/sign-in`);
    await inspect(page, 'sign-in');
    await signIn(page, 'climber@skyline.example', 'not the password');
    await page.getByText('The e-mail address or the password is wrong.').waitFor();
    await inspect(page, 'sign-in refused');
  });

  it('home and account', async () => {
    const page = await openPage(browser);
    await page.goto(`${app.origin}/portal`);
    await signIn(page, 'admin@skyline.example');
    expect(page.url()).toBe(`${app.origin}/portal`);
    await inspect(page, 'home');
    await page.getByRole('link', { name: 'Account' }).first().click();
    await inspect(page, 'account');
    await page.goto(`${app.origin}/portal/account/activity`);
    await inspect(page, 'activity');
  });

  it('a one-time link, and one that has ended', async () => {
    const link = await createLink(
      app.db,
      app.config,
      nobody,
      demoId('user', 'latoya.fontaine@skyline.example'),
      'invitation',
    );
    const page = await openPage(browser);
    await page.goto(link.url);
    await inspect(page, 'first password');
    await page.goto(`${app.origin}/portal/links/never-was`);
    await inspect(page, 'link ended');
  });

  it('an authorization request that is wrong, and a sign-out that an app asks for', async () => {
    const page = await openPageOf(browser, app, 'climber@skyline.example');
    await page.goto(`${app.origin}/auth/v1/oauth/authorize?client_id=nobody`);
    await inspect(page, 'authorization refused');
    await page.goto(`${app.origin}/auth/v1/oauth/logout`);
    await inspect(page, 'sign-out');
  });

  it('a page that is not there', async () => {
    const page = await openPage(browser);
    await page.goto(`${app.origin}/portal/nowhere`);
    await inspect(page, 'not found');
  });
});

it('nothing but colours depends on the scheme, which is what an inspection rests on', () => {
  for (const folder of ['public', 'dashboard']) {
    const files = readdirSync(join(packageRoot, folder), {
      recursive: true,
      encoding: 'utf8',
    }).filter((file) => /\.(css|js|tsx?)$/.test(file));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files)
      expect([file, readFileSync(join(packageRoot, folder, file), 'utf8')]).toStrictEqual([
        file,
        expect.not.stringMatching(/prefers-color-scheme/),
      ]);
  }
});
