/**
 * How old what the dashboard shows is, what ends it, and that its days are the same for every
 * reader.
 */
import type { Page } from 'playwright-core';
import { today } from '../../src/scalars/day.js';
import { openPageOf, startBrowser } from '../support/browser.js';
import { graphOf } from '../support/graph.js';
import { bothEmail, managerEmail, memberId, skylineId } from '../support/names.js';
import { openDashboard, settle, startDashboard } from './page.js';

const app = await startDashboard();
const browser = await startBrowser();
const bar = (page: Page) => page.locator('.fresh');
const refresh = (page: Page) => page.getByRole('button', { name: 'Refresh' }).click();
const matrix = (page: Page) => page.locator('table.matrix');

/** The dashboard on a clock that can be put forward. */
async function openWithClock(email: string): Promise<Page> {
  const page = await openPageOf(browser, app, email, {
    locale: 'en-GB',
    timezoneId: 'Pacific/Kiritimati',
  });
  await page.clock.install();
  await page.goto(`${app.origin}/dashboard`);
  await matrix(page).waitFor();
  return page;
}

describe('the bar that says how fresh the data is', () => {
  it('counts from when it was read, warns when that is long ago, and reads anew', async () => {
    const page = await openWithClock(managerEmail);
    await bar(page).getByText('just now').waitFor();
    const at = (await bar(page).locator('time').getAttribute('datetime')) ?? '';
    const inZone = new Intl.DateTimeFormat('en-GB', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'Pacific/Kiritimati',
    });
    expect(await bar(page).locator('time').textContent()).toBe(inZone.format(new Date(at)));
    await page.clock.fastForward('09:30');
    await bar(page)
      .getByText(/^Read .* 9 minutes ago$/)
      .waitFor();
    await page.clock.fastForward('02:00');
    await bar(page).getByText('This may be out of date').waitFor();
    await app.db.query(
      `update organization_members set display_name = 'Aaron Aardvark' where id = $1`,
      [memberId(bothEmail)],
    );
    await refresh(page);
    await page.getByRole('rowheader', { name: 'Aaron Aardvark' }).waitFor();
    await bar(page).getByText('just now').waitFor();
    await page.context().close();
  });

  it('keeps what was read, as old as it is, while the server cannot be reached', async () => {
    const page = await openWithClock(managerEmail);
    await page.clock.fastForward('03:30');
    await page.route('**/graphql', (route) => route.abort());
    await refresh(page);
    await page.getByText('Lanyard cannot be reached.').first().waitFor();
    expect(await matrix(page).count()).toBe(1);
    await bar(page).getByText('3 minutes ago').waitFor();
    await page.context().close();
  });

  it('keeps nothing that the person may no longer see', async () => {
    const page = await openWithClock(bothEmail);
    const refusal = { errors: [{ message: 'No.', extensions: { code: 'FORBIDDEN' } }] };
    await page.route('**/graphql', (route) =>
      route.request().postDataJSON().operationName.startsWith('Readiness')
        ? route.fulfill({ json: refusal })
        : route.continue(),
    );
    await refresh(page);
    await page.getByText('Only an admin or a manager of this organization').waitFor();
    expect(await matrix(page).count()).toBe(0);
    await page.unroute('**/graphql');
    await app.db.query(`update organization_members set role = 'member' where id = $1`, [
      memberId(bothEmail),
    ]);
    await refresh(page);
    await page.getByText('You see only your own records.').waitFor();
    expect(await matrix(page).count()).toBe(0);
    await page.context().close();
  });
});

describe('a sign-out in another tab', () => {
  it('ends the dashboard, its tokens too, and leaves nothing of it to see', async () => {
    const page = await openDashboard(browser, app, managerEmail);
    await matrix(page).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${app.origin}/portal`);
    const revoked = page.waitForRequest(
      (request) => request.url().endsWith('/revoke') && request.method() === 'POST',
    );
    await other.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You signed out in another tab.').waitFor();
    expect(await page.getByText('Skyline Towers').count()).toBe(0);
    await revoked;
    await page.context().close();
  });
});

describe('days', () => {
  it('are those of the records, wherever the reader is', async () => {
    const text = `query ($organizationId: ID!, $from: Date!) { certifications(organizationId: $organizationId, lifecycleStatus: ACTIVE,
      expiresFrom: $from, orderBy: { field: EXPIRES_ON }, first: 5) { nodes { expiresOn } } }`;
    const { nodes } = (
      await graphOf(app, managerEmail).data(text, { organizationId: skylineId, from: today() })
    ).certifications;
    const medium = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
    const expected = nodes.map(({ expiresOn }: { expiresOn: string }) =>
      medium.format(Date.parse(expiresOn)),
    );
    for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const page = await openDashboard(browser, app, managerEmail, '?tab=expiries', { timezoneId });
      await settle(page);
      expect([
        timezoneId,
        (await page.locator('.list td.day').allTextContents()).slice(0, 5),
      ]).toStrictEqual([timezoneId, expected]);
      expect(await page.getByLabel('As of').inputValue()).toBe(today());
      await page.context().close();
    }
  });
});

it('the title of the page tells the views apart', async () => {
  const page = await openDashboard(browser, app, managerEmail);
  await settle(page);
  const titles = [await page.title()];
  for (const name of ['Expiries', 'To verify', 'Crew planner']) {
    await page.getByRole('link', { name }).click();
    await settle(page);
    titles.push(await page.title());
  }
  expect(titles).toStrictEqual(
    ['Readiness', 'Expiries', 'To verify', 'Crew planner'].map(
      (name) => `${name} · Skyline Towers · Lanyard`,
    ),
  );
  await page.context().close();
});
