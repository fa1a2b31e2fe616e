/** Every view of the dashboard, wide and narrow, in light and dark. */
import { describe, it } from 'node:test';
import { inspect, startBrowser } from '../support/browser.js';
import { bothEmail, climberEmail, jobRoleId, managerEmail, memberId, qualificationId, skylineId } from '../support/names.js';
import { openDashboard, settle, startDashboard } from './page.js';

const app = await startDashboard();
const browser = await startBrowser();

const crew = `${qualificationId('site-foreman')}:1,${qualificationId('lead-climber')}:2`;
const tooMany = `${qualificationId('lead-climber')}:20,${qualificationId('pim-tester')}:1`;
const why = `member=${memberId(climberEmail)}&qualification=${qualificationId('lead-climber')}`;

describe('every view of the dashboard', () => {
  for (const [name, email, query, text] of [
    ['readiness', managerEmail, '', 'shown'],
    ['readiness of a job role', managerEmail, `?role=${jobRoleId('tower-foreman')}`, 'shown'],
    ['why', managerEmail, `?${why}`, 'Requirements'],
    ['expiries', managerEmail, '?tab=expiries', 'Qualifications lost'],
    ['crew empty', managerEmail, '?tab=crew', 'Say who is needed'],
    ['crew filled', managerEmail, `?tab=crew&crew=${crew}`, 'The crew is complete'],
    ['crew short', managerEmail, `?tab=crew&crew=${tooMany}`, 'short on'],
    ['plain member', climberEmail, '', 'You see only your own'],
    ['plain member expiries', climberEmail, '?tab=expiries', 'Your records that end'],
    ['plain member crew', climberEmail, '?tab=crew', 'Crews are planned by'],
    ['two organizations', bothEmail, '', 'shown'],
    ['organization unknown', managerEmail, `?org=${skylineId.replace(/^./, '0')}`, 'You are not a member'],
  ] as const) {
    it(name, async () => {
      const page = await openDashboard(browser, app, email, query);
      await page.getByText(text).first().waitFor();
      await settle(page);
      await inspect(page, `dashboard ${name}`);
      await page.context().close();
    });
  }
});
