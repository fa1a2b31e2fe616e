/**
 * The states that a page gets into: errors, nothing to show, names of every kind; and that the
 * keyboard is enough.
 */
import type { Page } from 'playwright-core';
import { attemptsPerAccount, SignInLimiter } from '../../src/auth/accounts/limits.js';
import { createLink } from '../../src/auth/accounts/links.js';
import { ThirdParty } from '../auth/oauth/client.js';
import { openPage, openPageOf, signIn, startBrowser, startPortal } from '../support/browser.js';
import { nobody } from '../support/changes.js';
import { ensure } from '../support/expect.js';
import { inspect } from '../support/inspect.js';
import { adminEmail, climberEmail, managerEmail, skylineId, userId } from '../support/names.js';

const app = await startPortal({ SMTP_URL: 'smtp://127.0.0.1:9' });
const browser = await startBrowser();

async function open(email: string, path = '/portal'): Promise<Page> {
  const page = await openPageOf(browser, app, email);
  await page.goto(app.origin + path);
  return page;
}

/** The one heading of the first level. */
const headingOf = async (page: Page): Promise<string> =>
  (await page.getByRole('heading', { level: 1 }).allInnerTexts()).join(' | ');

const longName =
  'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft mbH';
const arabicName = 'عبد الرحمن بن محمد الطويل';

describe('a page that cannot do what was asked', () => {
  it('says why, and what to do', async () => {
    const page = await open(managerEmail);
    await page.goto(`${app.origin}/portal/organizations/${skylineId}/audit`);
    expect(await headingOf(page)).toBe('Not allowed');
    await page.goto(`${app.origin}/portal/nowhere`);
    expect(await headingOf(page)).toBe('Page not found');
    expect(await page.title()).toBe('Page not found · Lanyard');
    await page.goto(`${app.origin}/portal/links/never-was`);
    expect(await headingOf(page)).toBe('This link has ended');
    await page.goto(`${app.origin}/portal/interactions/never-was`);
    expect(await headingOf(page)).toBe('Start again from the app');
  });

  it('knows a form that is out of date from one that is not allowed', async () => {
    const page = await open(managerEmail);
    await page
      .locator('input[name=csrf]')
      .first()
      .evaluate((input: HTMLInputElement) => input.setAttribute('value', 'old'));
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect(await headingOf(page)).toBe('This page is out of date');
  });

  it('names the request when the fault is ours', async () => {
    const page = await open(managerEmail);
    await app.db.query('alter table passkeys rename to passkeys_away');
    const answer = await page.goto(`${app.origin}/portal/account`);
    await app.db.query('alter table passkeys_away rename to passkeys');
    expect(answer?.status()).toBe(500);
    await page.getByText(answer?.headers()['x-request-id'] ?? 'no id').waitFor();
    expect(await page.getByText('request id').count()).toBe(0); // the sentence is for people
    expect(await page.getByText('The fault is on our side').count()).toBe(1);
  });

  it('says how long to wait after too many attempts', async () => {
    const limiter = new SignInLimiter(app.db);
    // The browser comes from either of them.
    for (const address of ['127.0.0.1', '::1'])
      for (let attempt = 0; attempt < attemptsPerAccount; attempt++)
        await limiter.count({ address, account: 'nobody@skyline.example' });
    const page = await openPage(browser);
    await page.goto(`${app.origin}/portal/sign-in`);
    await signIn(page, 'nobody@skyline.example', 'wrong');
    await page.getByRole('alert').getByText('wait 15 minutes').waitFor();
    await inspect(page, 'sign-in throttled');
  });

  it('ties what is wrong to its field', async () => {
    const page = await openPage(browser);
    await page.goto(
      (await createLink(app.db, app.config, nobody, userId(climberEmail), 'reset')).url,
    );
    await page.getByLabel('New password', { exact: true }).fill('too short');
    await page.getByLabel('The new password again').fill('too short');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForLoadState();
    const field = page.getByLabel('New password', { exact: true });
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    const described = ((await field.getAttribute('aria-describedby')) ?? '')
      .split(' ')
      .map((id) => page.locator(`#${id}`).innerText());
    expect((await Promise.all(described)).join(' ')).toMatch(/Use at least 12 characters/);
    await inspect(page, 'password refused');
  });
});

describe('names of every kind', () => {
  it('fit a phone, however long, and whichever way they are read', async () => {
    await app.db.query('update organizations set name = $2 where id = $1', [skylineId, longName]);
    await app.db.query('update users set display_name = $2 where id = $1', [
      userId(climberEmail),
      arabicName,
    ]);
    await app.db.query(`update users set display_name = $2 where id = $1`, [
      userId(adminEmail),
      longName.replaceAll(' ', ''),
    ]);
    const page = await open(climberEmail);
    expect(await headingOf(page)).toBe(arabicName);
    await inspect(page, 'home of long names');
    await page.goto(
      (await new ThirdParty(app.origin, 'demo-pending').request('v'.repeat(43))).href,
    );
    await inspect(page, 'consent of long names');
    const admin = await open(adminEmail);
    for (const name of ['approvals', 'audit']) {
      await admin.goto(`${app.origin}/portal/organizations/${skylineId}/${name}`);
      await inspect(admin, `${name} of long names`);
    }
  });
});

describe('the keyboard', () => {
  it('gets to everything, and always shows where it is', async () => {
    const page = await open(managerEmail);
    for (const path of ['/portal', '/portal/account', '/portal/apps/new']) {
      await page.goto(app.origin + path);
      const wanted = await page
        .locator('a, button, input:not([type=hidden], [type=radio]), select, textarea, summary')
        .evaluateAll((all) => all.filter((each) => each.checkVisibility()).length);
      const reached = new Set<string>();
      for (let presses = 0; presses < wanted; presses++) {
        await page.keyboard.press('Tab');
        const [where, outline] = await page.evaluate(() => {
          const { activeElement: element } = document;
          const { outlineStyle, outlineWidth } = getComputedStyle(element ?? document.body);
          return [
            String([...document.querySelectorAll('*')].indexOf(element as Element)),
            `${outlineStyle} ${outlineWidth}`,
          ];
        });
        reached.add(where as string);
        expect([`${path}: stop ${presses + 1}`, outline]).toStrictEqual([
          expect.any(String),
          'solid 3px',
        ]);
      }
      ensure(reached.size >= wanted, `${path}: ${reached.size} of ${wanted} are reached`);
    }
  });
});
