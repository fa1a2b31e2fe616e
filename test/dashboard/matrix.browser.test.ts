/** The readiness matrix, held against the answers of the API. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { dayAfter, today } from '../../src/scalars/day.js';
import type { Body } from '../support/app.js';
import { startBrowser } from '../support/browser.js';
import { ensure } from '../support/expect.js';
import { graphOf } from '../support/graph.js';
import * as demo from '../support/names.js';
import { openDashboard, settle, startDashboard } from './page.js';

const app = await startDashboard();
const browser = await startBrowser();
const manager = graphOf(app, demo.managerEmail);
const organizationId = demo.skylineId;

const readinessOf = async (variables: object = {}): Promise<Body> => {
  const text = `query ($organizationId: UUID!, $jobRoleId: UUID, $asOf: Date) { readiness(organizationId: $organizationId, jobRoleId: $jobRoleId, asOf: $asOf) {
    memberCount totals { qualifiedCount qualification { name } }
    members(first: 200) { nodes { organizationMember { displayName } cells { status metRequirementCount totalRequirementCount } } } } }`;
  return (await manager.data(text, { organizationId, ...variables })).readiness;
};

/**
 * The matrix on the page: columns, totals, and each member with what the cells tell a screen
 * reader.
 */
const matrixOn = (
  page: Page,
): Promise<{ columns: string[]; totals: number[]; rows: { name: string; cells: string[] }[] }> =>
  page.locator('table.matrix').evaluate((table) => {
    const textOf = (row: Element | null, selector: string) =>
      [...(row?.querySelectorAll(selector) ?? [])].map((cell) => cell.textContent);
    const [head, totals, ...rows] = table.querySelectorAll('tr');
    return {
      columns: textOf(head ?? null, 'th').slice(1),
      totals: textOf(totals ?? null, 'td').map(Number),
      rows: rows.map((row) => ({
        name: textOf(row, 'th')[0] ?? '',
        cells: textOf(row, 'td .unseen'),
      })),
    };
  });

/** Expects the matrix of the page to say what the API says. */
async function expectMatrix(page: Page, readiness: Body): Promise<void> {
  await settle(page);
  while (await page.getByRole('button', { name: 'Show more' }).isVisible()) {
    await page.getByRole('button', { name: 'Show more' }).click();
    await page
      .getByText(`${readiness.memberCount} of ${readiness.memberCount} members shown`)
      .waitFor();
  }
  const { columns, totals, rows } = await matrixOn(page);
  expect(columns.map((name, index) => [name, totals[index]])).toStrictEqual(
    readiness.totals.map(({ qualification, qualifiedCount }: Body) => [
      qualification.name,
      qualifiedCount,
    ]),
  );
  expect(rows.map(({ name }) => name)).toStrictEqual(
    readiness.members.nodes.map(({ organizationMember }: Body) => organizationMember.displayName),
  );
  for (const [row, { name, cells }] of rows.entries()) {
    for (const [column, text] of cells.entries()) {
      const {
        status,
        metRequirementCount: met,
        totalRequirementCount: total,
      } = readiness.members.nodes[row].cells[column];
      const expected =
        status === 'QUALIFIED' ? ': qualified' : `: not qualified, has ${met} of ${total}`;
      ensure(text.startsWith(`${name}, ${columns[column]}${expected}`), text);
    }
  }
}

describe('the readiness matrix', () => {
  it('says what the API says: of all members, of a job role, and on another day', async () => {
    const page = await openDashboard(browser, app, demo.managerEmail);
    const all = await readinessOf();
    expect(all.memberCount).toBeGreaterThan(25); // more than a page
    await expectMatrix(page, all);
    const jobRoleId = demo.jobRoleId('tower-foreman');
    await page.getByLabel('Job role').selectOption(jobRoleId);
    const ofRole = await readinessOf({ jobRoleId });
    expect(ofRole.memberCount > 0 && ofRole.memberCount < all.memberCount).toBe(true);
    await expectMatrix(page, ofRole);
    const asOf = dayAfter(today(), 400);
    await page.getByLabel('As of').fill(asOf);
    const later = await readinessOf({ jobRoleId, asOf });
    expect(later.totals).not.toStrictEqual(ofRole.totals);
    await expectMatrix(page, later);
    expect([...new URL(page.url()).searchParams]).toStrictEqual([
      ['day', asOf],
      ['role', jobRoleId],
    ]);
    await page.goBack();
    await expectMatrix(page, ofRole);
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
    await expectMatrix(page, await readinessOf({ jobRoleId: quick }));
    await page.getByLabel('Job role').selectOption(slow);
    // Nothing of another job role while it loads.
    expect(await page.locator('table.matrix').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('is one stop of the Tab key, and is moved about in with the arrow keys', async () => {
    const page = await openDashboard(browser, app, demo.managerEmail);
    await settle(page);
    const focused = () =>
      page.evaluate(
        () =>
          document.activeElement?.querySelector('.unseen')?.textContent ??
          document.activeElement?.tagName ??
          '',
      );
    const { rows, columns } = await matrixOn(page);
    await page.getByLabel('As of').focus();
    for (let presses = 0; presses < 8 && !(await focused()).includes(','); presses++)
      await page.keyboard.press('Tab');
    expect(await focused()).toBe(rows[0]?.cells[0]);
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'End'])
      await page.keyboard.press(key);
    expect(await focused()).toBe(rows[2]?.cells.at(-1));
    for (const key of ['ArrowRight', 'Home', 'ArrowUp']) await page.keyboard.press(key);
    expect(await focused()).toBe(rows[1]?.cells[0]);
    await page.keyboard.press('Enter');
    const panel = page.getByRole('dialog');
    await panel.getByText(rows[1]?.name ?? '', { exact: true }).waitFor();
    await panel.getByText(columns[0] ?? '').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await focused()).toBe(rows[1]?.cells[0]); // the focus is back
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('BUTTON'); // Show more comes next
  });

  it('of an organization without qualifications asks for the first, and speaks of no job role', async () => {
    await app.db.query(`update qualifications set status = 'archived' where status = 'active'`);
    const page = await openDashboard(browser, app, demo.managerEmail);
    await page.getByText('This organization has no qualifications yet').waitFor();
    await app.db.query(`update qualifications set status = 'active' where status = 'archived'`);
  });
});
