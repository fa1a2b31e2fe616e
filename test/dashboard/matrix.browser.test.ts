/** The readiness matrix, held against the answers of the API. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { dayAfter, today } from '../../src/scalars/day.js';
import type { Body } from '../support/app.js';
import { startBrowser } from '../support/browser.js';
import { graphOf } from '../support/graph.js';
import * as demo from '../support/names.js';
import { openDashboard, settle, startDashboard } from './page.js';

const app = await startDashboard();
const browser = await startBrowser();
const manager = graphOf(app, demo.managerEmail);
const organizationId = demo.skylineId;

const readinessOf = async (variables: object = {}): Promise<Body> => {
  const text = `query ($organizationId: ID!, $jobRoleId: ID, $asOf: Date) { readiness(organizationId: $organizationId, jobRoleId: $jobRoleId, asOf: $asOf) {
    memberCount totals { qualifiedCount qualification { id name } }
    members(first: 200) { nodes { organizationMember { displayName } cells { qualificationId status metRequirementCount totalRequirementCount } } } } }`;
  return (await manager.data(text, { organizationId, ...variables })).readiness;
};

/** What each job role that requires something makes of its members. */
async function readinessByJobRole(): Promise<Body[]> {
  const text =
    'query ($organizationId: ID!) { jobRoles(organizationId: $organizationId, first: 200) { nodes { id qualifications { id } } } }';
  const { nodes } = (await manager.data(text, { organizationId })).jobRoles;
  const found = [];
  for (const { id, qualifications } of nodes)
    if (qualifications.length > 0) found.push(await readinessOf({ jobRoleId: id }));
  return found;
}

type Cells = Record<string, Record<string, string>>;

/** The texts of the cells for a screen reader, by member and qualification. */
function cellsOf(lists: readonly Body[]): Cells {
  const cells: Cells = {};
  for (const { totals, members } of lists) {
    const names = new Map(totals.map(({ qualification: { id, name } }: Body) => [id, name]));
    for (const { organizationMember, cells: each } of members.nodes) {
      const { displayName } = organizationMember;
      const row = cells[displayName] ?? {};
      cells[displayName] = row;
      for (const {
        qualificationId,
        status,
        metRequirementCount: met,
        totalRequirementCount: total,
      } of each)
        row[names.get(qualificationId) as string] =
          status === 'QUALIFIED' ? 'qualified' : `not qualified, has ${met} of ${total}`;
    }
  }
  return cells;
}

/** The matrix as it is printed: with all rows. */
async function printedOn(page: Page) {
  await settle(page);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const printed = await page.locator('table.matrix').evaluate((table) => {
    const columns = [...table.querySelectorAll('.columns th')].map((column) => ({
      name: column.querySelector('.order')?.textContent ?? '',
      count: column.querySelector('.count-of')?.textContent ?? '',
    }));
    const rows = [...table.querySelectorAll('tbody tr')].map((row) => ({
      name: row.querySelector('th')?.textContent ?? '',
      cells: [...row.querySelectorAll('td:not(.gaps)')].map(
        (cell) => cell.querySelector('.unseen')?.textContent ?? '',
      ),
    }));
    return { columns, rows };
  });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  const cells: Cells = {};
  for (const { name, cells: texts } of printed.rows) {
    const row = cells[name] ?? {};
    cells[name] = row;
    for (const text of texts.filter(Boolean)) {
      const [column = '', standing = ''] = text.replace(`${name}, `, '').split(': ');
      row[column] = standing.replace(/^qualified until .*/, 'qualified');
    }
  }
  return { ...printed, names: printed.rows.map(({ name }) => name), cells };
}

const sorted = (names: readonly string[]) => [...names].sort(new Intl.Collator('en').compare);

describe('the readiness matrix', () => {
  it('has what the job roles of each member require, as the API says', async () => {
    const page = await openDashboard(browser, app, demo.managerEmail);
    const expected = cellsOf(await readinessByJobRole());
    const { cells, names } = await printedOn(page);
    expect(cells).toStrictEqual(expected);
    expect(names.length).toBeGreaterThan(25);
    expect(names).toStrictEqual(sorted(names));
    const ready = Object.values(expected).filter((row) =>
      Object.values(row).every((text) => text === 'qualified'),
    );
    expect(await page.locator('.figure').first().textContent()).toBe(String(ready.length));
    await page.context().close();
  });

  it('has all qualifications on request, and those of a job role, on any day', async () => {
    const page = await openDashboard(browser, app, demo.managerEmail, '?columns=all');
    const all = await readinessOf();
    expect((await printedOn(page)).cells).toStrictEqual(cellsOf([all]));
    await page.getByLabel('Columns').selectOption('');
    const jobRoleId = demo.jobRoleId('tower-foreman');
    await page.getByLabel('Job role').selectOption(jobRoleId);
    const expectRole = async (readiness: Body) => {
      const { cells, columns } = await printedOn(page);
      expect(cells).toStrictEqual(cellsOf([readiness]));
      expect(columns).toStrictEqual(
        readiness.totals.map(({ qualification, qualifiedCount }: Body) => ({
          name: qualification.name,
          count: `${qualifiedCount} of ${readiness.memberCount}`,
        })),
      );
    };
    const ofRole = await readinessOf({ jobRoleId });
    expect(ofRole.memberCount > 0 && ofRole.memberCount < all.memberCount).toBe(true);
    await expectRole(ofRole);
    const asOf = dayAfter(today(), 400);
    await page.getByLabel('As of').fill(asOf);
    const later = await readinessOf({ jobRoleId, asOf });
    expect(later.totals).not.toStrictEqual(ofRole.totals);
    await expectRole(later);
    expect([...new URL(page.url()).searchParams]).toStrictEqual([
      ['day', asOf],
      ['role', jobRoleId],
    ]);
    await page.goBack();
    await expectRole(ofRole);
    await page.context().close();
  });

  it('never shows an answer that comes late to a question that is no longer asked', async () => {
    const page = await openDashboard(browser, app, demo.managerEmail);
    await settle(page);
    const [slow, quick] = [demo.jobRoleId('tower-foreman'), demo.jobRoleId('rigger')];
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes(slow)) await delay(1000);
      await route.continue().catch(() => {});
    });
    await page.getByLabel('Job role').selectOption(slow);
    await page.getByLabel('Job role').selectOption(quick);
    await delay(1500);
    const expected = cellsOf([await readinessOf({ jobRoleId: quick })]);
    expect((await printedOn(page)).cells).toStrictEqual(expected);
    await page.getByLabel('Job role').selectOption(slow);
    // Nothing of another job role while it loads.
    expect(await page.locator('table.matrix').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
  });

  it('is searched, filtered and ordered, and says when nothing matches', async () => {
    const page = await openDashboard(browser, app, demo.managerEmail);
    await settle(page);
    await page.getByLabel('Search by name').fill('DVORAK');
    await page.getByText(/^1 of \d+ members$/).waitFor();
    expect((await printedOn(page)).names).toStrictEqual(['Hana Dvořáková']);
    await page.getByLabel('Search by name').fill('nobody of this name');
    await page.getByText('No member matches').waitFor();
    await page.getByRole('link', { name: 'Clear the search' }).click();
    await page.getByLabel('Only gaps').check();
    const { cells } = await printedOn(page);
    for (const row of Object.values(cells))
      expect(Object.values(row).some((text) => text !== 'qualified')).toBe(true);
    await page.getByLabel('Only gaps').uncheck();
    await page.getByLabel('Order').selectOption('gaps');
    const gapsOf = (row: Record<string, string>) =>
      Object.values(row).filter((text) => text !== 'qualified').length;
    const ordered = await printedOn(page);
    const gaps = ordered.names.map((name) => gapsOf(ordered.cells[name] ?? {}));
    expect(gaps).toStrictEqual([...gaps].sort((one, other) => other - one));
    expect(new URL(page.url()).search).toBe('?sort=gaps');
    await page.context().close();
  });

  it('is one stop of the Tab key, and is moved about in with the arrow keys', async () => {
    const page = await openDashboard(browser, app, demo.managerEmail, '?columns=all');
    await settle(page);
    const focused = () =>
      page.evaluate(
        () =>
          document.activeElement?.querySelector('.unseen')?.textContent ??
          document.activeElement?.textContent ??
          '',
      );
    const { rows, columns } = await printedOn(page);
    await page.getByLabel('Order').focus();
    for (let presses = 0; presses < 20 && (await focused()) !== rows[0]?.name; presses++)
      await page.keyboard.press('Tab');
    expect(await focused()).toBe(rows[0]?.name);
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'End'])
      await page.keyboard.press(key);
    expect(await focused()).toBe(rows[2]?.cells.at(-1));
    for (const key of ['ArrowRight', 'Home', 'ArrowUp', 'ArrowRight'])
      await page.keyboard.press(key);
    expect(await focused()).toBe(rows[1]?.cells[0]);
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog');
    await panel.getByText(rows[1]?.name ?? '', { exact: true }).waitFor();
    await panel.getByText(columns[0]?.name ?? '').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await focused()).toBe(rows[1]?.cells[0]); // the focus is back
    // A row that is rendered only when the focus comes near.
    for (let presses = 0; presses < 5; presses++) await page.keyboard.press('PageDown');
    expect(await focused()).toBe(rows.at(-1)?.cells[0]);
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('Español'); // the choice of the language comes next
    await page.context().close();
  });
});
