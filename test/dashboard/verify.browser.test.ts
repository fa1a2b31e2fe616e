/** The view of the records to verify, and the tile that counts them. */
import { startBrowser } from '../support/browser.js';
import * as demo from '../support/names.js';
import { goToDashboard, openDashboard, settle, startDashboard } from './page.js';

const app = await startDashboard();
const browser = await startBrowser();
const title = 'Records to verify';
const allChecked = 'Every record has been checked.';
const none = 'No certification has been recorded yet.';

const setAll = (status: string) =>
  app.db.query(
    `update certifications set verification_status = $2,
       verification_method = case when $2 = 'verified' then 'visual' end,
       last_verified_at = case when $2 = 'verified' then created_at end where organization_id = $1
       and lifecycle_status = 'active' and verification_status in ('unverified', 'pending')`,
    [demo.skylineId, status],
  );

it('lists and counts unverified and pending records, and says when there are none', async () => {
  const count = `select count(*)::int as all from certifications where organization_id = $1
    and lifecycle_status = 'active' and verification_status in ('unverified', 'pending')`;
  const [waiting] = await app.db.query<{ all: number }>(count, [demo.skylineId]);
  await setAll('pending');
  const page = await openDashboard(browser, app, demo.managerEmail, '?tab=unverified');
  await settle(page);
  const table = page.getByRole('region', { name: title });
  const states = await table.locator('tbody .tag').allTextContents();
  expect(states.length).toBeGreaterThan(0);
  expect(new Set(states)).toStrictEqual(new Set(['pending']));
  expect(await table.locator('table').getAttribute('aria-rowcount')).toBe(
    String((waiting?.all ?? 0) + 1),
  );
  expect(await page.getByText(allChecked).count()).toBe(0);

  await setAll('unverified');
  await app.db.query(
    `update certifications set verification_status = 'pending' where id = (
       select id from certifications where organization_id = $1 and lifecycle_status = 'active'
         and verification_status = 'unverified' order by id limit 1)`,
    [demo.skylineId],
  );
  await goToDashboard(page, app, '?tab=unverified');
  await settle(page);
  expect((await table.locator('tbody .tag').allTextContents()).slice(0, 2)).toStrictEqual([
    'pending',
    'unverified',
  ]);
  await goToDashboard(page, app, '');
  await settle(page);
  await page
    .locator('.tile.info .figure', { hasText: new RegExp(`^${waiting?.all}$`) })
    .waitFor({ timeout: 10_000 });

  await setAll('verified');
  await goToDashboard(page, app, '?tab=unverified');
  await page.getByText(allChecked).waitFor();

  for (const table of ['certification_history', 'certifications'])
    await app.db.query(`delete from ${table} where organization_id = $1`, [demo.skylineId]);
  await goToDashboard(page, app, '?tab=unverified');
  await page.getByText(none).waitFor();
  expect(await page.getByText(allChecked).count()).toBe(0);
  await page.context().close();
});

it('names the role of a member in the language of the page', async () => {
  const page = await openDashboard(
    browser,
    app,
    demo.managerEmail,
    `?person=${demo.memberId(demo.climberEmail)}`,
    { locale: 'es' },
  );
  await page.locator('.facts').getByText('miembro', { exact: true }).waitFor();
  await page.context().close();
});
