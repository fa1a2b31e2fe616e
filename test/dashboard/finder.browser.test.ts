/** The person finder: a combobox that searches on the server. */
import { startBrowser } from '../support/browser.js';
import { inspect } from '../support/inspect.js';
import { climberEmail, managerEmail, memberId } from '../support/names.js';
import { openDashboard, settle, startDashboard } from './page.js';

const app = await startDashboard();
const browser = await startBrowser();

it('finds people by name, e-mail and external id, with the keyboard alone, and opens the page', async () => {
  const page = await openDashboard(browser, app, managerEmail);
  await settle(page);
  const field = page.getByRole('combobox', { name: 'Find a person' });
  for (const [text, name] of [
    ['dvor', 'Hana Dvořáková'],
    ['mei-ling.zhou@', 'Mei-Ling Zhou'],
    ['jonah', 'Jonah Tsosie'],
  ] as const) {
    await field.fill(text);
    await page.getByRole('option', { name }).waitFor();
  }
  expect(await field.getAttribute('aria-expanded')).toBe('true');
  await inspect(page, 'dashboard finder');
  await field.press('ArrowDown');
  await page.locator('[role=option][data-highlighted]').waitFor();
  const active = await field.getAttribute('aria-activedescendant');
  expect(await page.locator(`[id="${active}"]`).textContent()).toContain('Jonah Tsosie');
  await field.press('Enter');
  await page.getByRole('heading', { name: 'Jonah Tsosie' }).waitFor();
  expect(new URL(page.url()).searchParams.get('person')).toBe(memberId(climberEmail));
  await page.context().close();
});

it('says that no one matches, and closes with Escape', async () => {
  const page = await openDashboard(browser, app, managerEmail);
  await settle(page);
  const field = page.getByRole('combobox', { name: 'Find a person' });
  await field.fill('nobody of this name');
  await page.getByText('No member matches.').waitFor();
  expect(await page.locator('[role=option]').count()).toBe(0);
  await field.fill('jonah');
  await page.locator('[role=option]').first().waitFor();
  await field.press('Escape');
  await page.locator('[role=option]').first().waitFor({ state: 'hidden' });
  await page.context().close();
});

it('is for admins and managers', async () => {
  const page = await openDashboard(browser, app, climberEmail);
  await settle(page);
  expect(await page.getByRole('combobox', { name: 'Find a person' }).count()).toBe(0);
  await page.context().close();
});

it('says when a list is longer than what is loaded, and loads more of it', async () => {
  const page = await openDashboard(browser, app, managerEmail);
  await settle(page);
  let served = 0;
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query Unverified')) return route.continue();
    served++;
    const node = {
      id: `record ${served}`,
      source: 'API',
      serialNumber: `S-${served}`,
      issuerName: 'NWSA',
      expiresOn: null,
      createdAt: '2026-01-01T00:00:00.000000Z',
      certificationType: { title: 'Flagger' },
      organizationMember: { id: `member ${served}`, displayName: `Member ${served}` },
    };
    const nextCursor = served < 60 ? `cursor ${served}` : null;
    const certifications = { nodes: [node], pageInfo: { nextCursor } };
    return route.fulfill({ json: { data: { certifications } } });
  });
  await page.getByRole('link', { name: 'To verify' }).click();
  // The number of pages is limited: 50 at a time.
  await page.getByText('Only 50 rows are loaded.').waitFor();
  expect(served).toBe(50);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await downloading).suggestedFilename()).toContain('first 50');
  served = 0;
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByText('Only 50 rows are loaded.').waitFor({ state: 'detached' });
  expect(served).toBe(60);
  await page.context().close();
});
