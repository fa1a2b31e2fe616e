/** Why, what ends, and who goes: held against the answers of the API. */
import { dayAfter, today } from '../../src/scalars/day.js';
import { startBrowser } from '../support/browser.js';
import { ensure } from '../support/expect.js';
import { graphOf } from '../support/graph.js';
import * as demo from '../support/names.js';
import { openDashboard, settle, startDashboard } from './page.js';

const app = await startDashboard();
const browser = await startBrowser();
const manager = graphOf(app, demo.managerEmail);
const organizationId = demo.skylineId;

describe('the panel that tells why', () => {
  it('has each requirement with its record or its miss, and what would be enough', async () => {
    const [member, qualification] = [
      demo.memberId(demo.climberEmail),
      demo.qualificationId('lead-climber'),
    ];
    const page = await openDashboard(
      browser,
      app,
      demo.managerEmail,
      `?member=${member}&qualification=${qualification}`,
    );
    const panel = page.getByRole('dialog');
    await panel.getByText('Not qualified').waitFor();
    const text = `query ($organizationId: ID!, $member: ID!, $qualification: ID!) {
      qualificationResult(organizationId: $organizationId, organizationMemberId: $member, qualificationId: $qualification) {
        requirements { isMet reason certificationType { title } certification { serialNumber } } actions { kind certificationType { title } } } }`;
    const { requirements, actions } = (
      await manager.data(text, { organizationId, member, qualification })
    ).qualificationResult;
    const said = await panel.locator('.requirements li').allTextContents();
    expect(said).toHaveLength(requirements.length);
    const words: Record<string, string> = {
      NONE_HELD: 'No record',
      EXPIRED: 'Expired: the last day was',
      NOT_VERIFIED: 'not verified by anyone',
    };
    for (const [
      index,
      { isMet, reason, certificationType, certification },
    ] of requirements.entries()) {
      const expected = [
        certificationType.title,
        isMet ? 'Met' : words[reason],
        certification ? `No. ${certification.serialNumber}` : '',
      ];
      for (const part of expected)
        ensure(part !== undefined && said[index]?.includes(part), `${said[index]} lacks ${part}`);
    }
    const verbs: Record<string, string> = {
      OBTAIN: 'Obtain',
      RENEW: 'Renew',
      VERIFY: 'Have the record of',
    };
    const todo = await panel.locator('.todo li').allTextContents();
    expect(todo).toHaveLength(actions.length);
    for (const [index, { kind, certificationType }] of actions.entries())
      ensure(
        todo[index]?.startsWith(`${verbs[kind]} ${certificationType.title}`),
        String(todo[index]),
      );
  });
});

describe('the expiries', () => {
  it('counts the records of each week, and lists those of a week that is chosen', async () => {
    const page = await openDashboard(browser, app, demo.managerEmail, '?tab=expiries');
    await settle(page);
    const rows = await page
      .locator('.chart tbody tr')
      .evaluateAll((list) =>
        list.map((row) => [...row.children].map((cell) => cell.textContent ?? '')),
      );
    expect(rows).toHaveLength(13);
    const text = `query ($organizationId: ID!, $from: Date!, $until: Date!) {
      certifications(organizationId: $organizationId, lifecycleStatus: ACTIVE, expiresFrom: $from, expiresUntil: $until, first: 200) { nodes { organizationMember { displayName } } } }`;
    const isoDay = (shown = '') => new Date(`${shown} UTC`).toISOString().slice(0, 10);
    let expectedFrom = today();
    for (const [from, until, count] of rows) {
      expect(isoDay(from)).toBe(expectedFrom); // the weeks follow each other
      const { nodes } = (
        await manager.data(text, { organizationId, from: isoDay(from), until: isoDay(until) })
      ).certifications;
      expect(Number(count)).toBe(nodes.length);
      expectedFrom = dayAfter(isoDay(until), 1);
    }
    const busy = rows.findIndex(([, , count]) => Number(count) > 0);
    expect(busy).toBeGreaterThanOrEqual(0);
    await page.locator('.chart li a').nth(busy).click();
    await page.getByRole('heading', { name: 'Ending from' }).waitFor();
    await settle(page);
    const ending = page.getByRole('region', { name: 'Ending from' });
    expect(await ending.locator('tbody tr').count()).toBe(Number(rows[busy]?.[2]));
    const losses = page.getByRole('region', { name: 'Qualifications lost' });
    expect(await losses.locator('tbody tr').count()).toBeGreaterThan(0);
  });
});

describe('the crew planner', () => {
  it('names who goes when the crew can be filled, and the gap when it cannot', async () => {
    const page = await openDashboard(browser, app, demo.managerEmail, '?tab=crew');
    await page.getByLabel('Qualification').selectOption({ label: 'Lead Climber' });
    await page.getByLabel('People').fill('2');
    await page.getByRole('button', { name: 'Add a qualification' }).click();
    await page.getByLabel('Qualification').nth(1).selectOption({ label: 'Site Foreman' });
    await page.getByRole('button', { name: 'Check the crew' }).click();
    await page.getByText('The crew is complete on').waitFor();
    expect(await page.locator('.need .ticks li').count()).toBe(3);
    await page.getByLabel('People').first().fill('30');
    await page.getByRole('button', { name: 'Check the crew' }).click();
    await page.getByText('short on').waitFor();
    const plan = `query ($organizationId: ID!, $day: Date!, $needs: [CrewNeed!]!) { planCrew(organizationId: $organizationId, day: $day, needs: $needs) { missingCount shortage { neededCount eligibleCount } } }`;
    const needs = [
      { qualificationId: demo.qualificationId('lead-climber'), count: 30 },
      { qualificationId: demo.qualificationId('site-foreman'), count: 1 },
    ];
    const { missingCount, shortage } = (
      await manager.data(plan, { organizationId, day: today(), needs })
    ).planCrew;
    await page.getByText(`The crew is ${missingCount} people short`).waitFor();
    const gap = `Lead Climber needs ${shortage.neededCount} people, and only ${shortage.eligibleCount}`;
    await page.getByText(gap).waitFor();
    const linked = await openDashboard(browser, app, demo.managerEmail, new URL(page.url()).search);
    await linked.getByText(gap).waitFor();
  });
});
