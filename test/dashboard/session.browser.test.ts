/** Signing in to the dashboard, staying signed in, and leaving. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { dashboardApp } from '../../src/auth/apps/own.js';
import { setAppStatus } from '../../src/auth/apps/registry.js';
import { openPage, openPageOf, signIn, startBrowser } from '../support/browser.js';
import { nobody } from '../support/changes.js';
import { ensure } from '../support/expect.js';
import { inspect } from '../support/inspect.js';
import * as demo from '../support/names.js';
import { openDashboard, settle, startDashboard } from './page.js';

const app = await startDashboard();
const browser = await startBrowser();

/** How many sign-ins through the dashboard are alive. */
async function grants(email: string): Promise<number> {
  const [row] = await app.db.query<{ count: number }>(
    `select count(*)::int as count from grants g join apps a on a.id = g.app_id
     where a.client_id = $1 and g.user_id = $2 and g.expires_at > now()`,
    [dashboardApp.clientId, demo.userId(email)],
  );
  return row?.count ?? 0;
}

async function until(what: () => Promise<boolean>, text: string): Promise<void> {
  for (const end = Date.now() + 10_000; !(await what()); ) {
    ensure(Date.now() < end, text);
    await delay(50);
  }
}

const stored = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
const endAllGrants = () => app.db.query('delete from grants');

describe('a session of the dashboard', () => {
  it('begins with a sign-in that leads back to what the link shows, and asks nothing on a reload', async () => {
    const page = await openPage(browser);
    await page.goto(`${app.origin}/dashboard?tab=expiries&day=2027-01-04`);
    await signIn(page, demo.managerEmail);
    await page.getByRole('heading', { name: 'Records that end' }).waitFor();
    expect(page.url()).toBe(`${app.origin}/dashboard?tab=expiries&day=2027-01-04`);
    await page.reload();
    await page.getByRole('heading', { name: 'Records that end' }).waitFor();
    expect(page.url()).toBe(`${app.origin}/dashboard?tab=expiries&day=2027-01-04`);
    expect(await page.getByLabel('As of').inputValue()).toBe('2027-01-04');
    await until(
      async () => (await grants(demo.managerEmail)) === 1,
      'what the page before left is revoked',
    );
    expect(await stored(page)).toBe('[{},{}]'); // no token is kept in the browser
    await page.context().close();
  });

  it('gets a new token when one is refused, and only one refresh is under way', async () => {
    const page = await openDashboard(browser, app, demo.managerEmail);
    await settle(page);
    let refused = 0;
    let refreshed = 0;
    await page.route('**/graphql', (route) =>
      refused++ < 2 ? route.fulfill({ status: 401, body: '{}' }) : route.continue(),
    );
    page.on('request', (request) => request.url().endsWith('/token') && refreshed++);
    await page.getByRole('link', { name: 'Expiries' }).click();
    await page.getByText('Qualifications lost').waitFor();
    await settle(page);
    expect(refused).toBeGreaterThan(2);
    expect(refreshed).toBe(1);
    await page.context().close();
  });

  it('says so when it has ended, and goes on where it was', async () => {
    const page = await openDashboard(
      browser,
      app,
      demo.managerEmail,
      `?role=${demo.jobRoleId('tower-foreman')}`,
    );
    await settle(page);
    await endAllGrants();
    await page.getByRole('link', { name: 'Expiries' }).click();
    await page.getByText('Your sign-in has ended.').waitFor();
    await inspect(page, 'dashboard ended');
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.getByRole('heading', { name: 'Records that end' }).waitFor();
    expect(
      page.url().endsWith(`/dashboard?tab=expiries&role=${demo.jobRoleId('tower-foreman')}`),
    ).toBe(true);
    await page.context().close();
  });

  it('ends with the sign-out, for the portal too', async () => {
    await endAllGrants();
    const page = await openDashboard(browser, app, demo.climberEmail);
    await settle(page);
    expect(await grants(demo.climberEmail)).toBe(1);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password', { exact: true }).waitFor();
    await until(async () => (await grants(demo.climberEmail)) === 0, 'the grant is revoked');
    await page.goto(`${app.origin}/dashboard`);
    await page.getByText('to continue to Lanyard Dashboard').waitFor();
    await page.getByRole('button', { name: 'Cancel and go back to Lanyard Dashboard' }).click();
    await page.getByText('You cancelled the sign-in.').waitFor();
    await inspect(page, 'dashboard cancelled');
    await page.context().close();
  });
});

describe('what a person may see', () => {
  it('is their own standing without the role for more', async () => {
    const page = await openDashboard(browser, app, demo.climberEmail);
    await page.getByText('You see only your own records.').waitFor();
    expect(await page.getByLabel('Job role').count()).toBe(0);
    await page.getByText('Other qualifications').click();
    await page.getByRole('link', { name: 'Why? Lead Climber' }).click();
    await page.getByRole('dialog').getByText('Not qualified').waitFor();
    const other = `?member=${demo.memberId(demo.managerEmail)}&qualification=${demo.qualificationId('lead-climber')}`;
    await page.goto(`${app.origin}/dashboard${other}`);
    await page.getByText('Only an admin or a manager of this organization').waitFor();
    await page.context().close();
  });

  it('changes with the organization', async () => {
    const page = await openDashboard(browser, app, demo.bothEmail);
    await page.getByRole('heading', { name: 'Skyline Towers' }).waitFor();
    await page.locator('table.matrix').waitFor();
    await page.getByLabel('Organization').selectOption({ label: 'Harbor Fiber' });
    await page.getByRole('heading', { name: 'Harbor Fiber' }).waitFor();
    await page.getByText('You see only your own records.').waitFor();
    expect(new URL(page.url()).searchParams.get('org')).toBe(demo.harborId);
    await page.context().close();
  });
});

describe('when something fails', () => {
  it('tells what the API refused, or that it cannot be reached, and tries again', async () => {
    const page = await openDashboard(browser, app, demo.managerEmail);
    await settle(page);
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('link', { name: 'Crew planner' }).click();
    await page.getByRole('button', { name: 'Check the crew' }).click();
    await page.getByText('Lanyard cannot be reached.').waitFor();
    await page.unroute('**/graphql');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The crew is complete on').waitFor();
    await page.goto(`${app.origin}/dashboard?tab=crew&crew=${demo.nothing}:1`);
    await page.getByText('A qualification that this crew needs is archived.').waitFor();
    await page.context().close();
  });

  it('says who enables the dashboard where it is not', async () => {
    const [row] = await app.db.query<{ id: string }>('select id from apps where client_id = $1', [
      dashboardApp.clientId,
    ]);
    await setAppStatus(app.db, nobody, row?.id ?? '', 'disabled');
    const page = await openPageOf(browser, app, demo.managerEmail);
    const response = await page.goto(`${app.origin}/dashboard`);
    expect(response?.status()).toBe(404);
    await page.getByText('lanyard dashboard enable').waitFor();
    await inspect(page, 'dashboard not enabled');
    await page.goto(`${app.origin}/portal`);
    await setAppStatus(app.db, nobody, row?.id ?? '', 'active');
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.locator('table.matrix').waitFor();
    await page.context().close();
  });
});
