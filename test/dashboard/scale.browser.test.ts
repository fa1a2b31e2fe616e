/** The dashboard of an organization with 5,000 members. */
import { readFileSync } from 'node:fs';
import { bundled, bundleFolder } from '../../src/pages/bundle.js';
import { startBrowser } from '../support/browser.js';
import { ensure } from '../support/expect.js';
import { managerEmail, skylineId } from '../support/names.js';
import { addCrowd } from './crowd.js';
import { openDashboard, settle, startDashboard } from './page.js';

const app = await startDashboard({ RATE_LIMIT_PER_MINUTE: '10000' });
const browser = await startBrowser();
const size = 5000;
const name = `=HYPERLINK("https://evil.example")`;

beforeAll(async () => {
  await addCrowd(app.db, size);
  await app.db.query(
    `update organization_members set display_name = $2 where organization_id = $1 and id = (
       select id from organization_members where organization_id = $1 and email like '%@crowd.example' order by id limit 1)`,
    [skylineId, name],
  );
});

/** Milliseconds from the navigation until a person can use the first rows. */
const usable = 2000;

it(`is usable within ${usable} ms`, async () => {
  const page = await openDashboard(browser, app, managerEmail);
  const times: number[] = [];
  // Other tests may have the processors now.
  while (times.length < 10 && !times.some((time) => time < usable)) {
    const start = performance.now();
    await page.goto(`${app.origin}/dashboard`);
    await page.locator('table.matrix tbody a').first().click({ trial: true });
    times.push(Math.round(performance.now() - start));
    await page.getByText(/^5,\d+ members$/).waitFor();
    console.info(`${times.at(-1)} ms, complete after ${Math.round(performance.now() - start)} ms`);
  }
  expect(Math.min(...times)).toBeLessThan(usable);
  await page.context().close();
});

it('sends at most 120 kB for the first screen', () => {
  const bytes = (['.js', '.css'] as const).map((ending) => {
    const path = bundled('dashboard', ending).replace('browser/', '');
    return readFileSync(`${bundleFolder}/${path}.gz`).length;
  });
  expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(120_000);
});

it('renders few rows, finds any, and exports and prints all', async () => {
  const page = await openDashboard(browser, app, managerEmail);
  await settle(page);
  const status = page.locator('.foot [role=status]');
  await page.getByText(/^5,\d+ members$/).waitFor();
  const all = Number((await status.textContent())?.replace(/\D/g, ''));
  const rows = page.locator('table.matrix tbody tr');
  expect(await rows.count()).toBeLessThan(80);
  await page.getByLabel('Search by name').fill('hyperlink');
  await page.getByRole('link', { name, exact: true }).waitFor();
  await page.getByLabel('Search by name').fill('');
  await page.getByText(/^5,\d+ members$/).waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const csv = readFileSync(await (await downloading).path(), 'utf8');
  expect(csv.trimEnd().split('\r\n')).toHaveLength(all + 1);
  // A spreadsheet would run a cell that begins with an equals sign.
  ensure(csv.includes(`"'=HYPERLINK(""https://evil.example"")"`), 'the formula is quoted');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await rows.count()).toBe(all);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  expect(await rows.count()).toBeLessThan(80);
  await page.context().close();
});
