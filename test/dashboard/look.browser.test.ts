/** Every view of the dashboard, wide and narrow, in light and dark. */
import type { Page } from 'playwright-core';
import { startBrowser } from '../support/browser.js';
import { inspect } from '../support/inspect.js';
import {
  bothEmail,
  climberEmail,
  jobRoleId,
  managerEmail,
  memberId,
  qualificationId,
  skylineId,
} from '../support/names.js';
import { goToDashboard, openDashboard, settle, startDashboard } from './page.js';

const app = await startDashboard();
const browser = await startBrowser();

const crew = `${qualificationId('site-foreman')}:1,${qualificationId('lead-climber')}:2`;
const tooMany = `${qualificationId('lead-climber')}:20,${qualificationId('pim-tester')}:1`;
const why = `member=${memberId(climberEmail)}&qualification=${qualificationId('lead-climber')}`;

/** By who sees it: each view's name, its address, and a text that is there once it is. */
const views = {
  [managerEmail]: [
    ['readiness', '', 'members'],
    ['readiness of a job role', `?role=${jobRoleId('tower-foreman')}`, 'members'],
    ['why', `?${why}`, 'Requirements'],
    ['expiries', '?tab=expiries', 'Qualifications lost'],
    ['unverified', '?tab=unverified', 'Compare each record'],
    ['all qualifications', '?columns=all', 'members'],
    ['only gaps', '?gaps=1&sort=gaps', 'members'],
    ['nothing found', '?q=nobody', 'No member matches'],
    ['person', `?person=${memberId(climberEmail)}`, 'History'],
    ['crew empty', '?tab=crew', 'Add the qualifications that you need'],
    ['crew filled', `?tab=crew&crew=${crew}`, 'The crew is complete'],
    ['crew short', `?tab=crew&crew=${tooMany}`, 'short on'],
    ['organization unknown', `?org=${skylineId.replace(/^./, '0')}`, 'You are not a member'],
  ],
  [climberEmail]: [
    ['plain member', '', 'You see only your own'],
    ['plain member expiries', '?tab=expiries', 'Your records that end'],
    ['plain member crew', '?tab=crew', 'Crews are planned by'],
  ],
  [bothEmail]: [['two organizations', '', 'members']],
} as const;

/** The views with most text, in Spanish, in which texts are longer. */
const spanish = [
  ['readiness', '', 'miembros'],
  ['person', `?person=${memberId(climberEmail)}`, 'Historial'],
  ['why', `?${why}`, 'Requisitos'],
  ['expiries', '?tab=expiries', 'Cualificaciones que se pierden'],
  ['unverified', '?tab=unverified', 'Compare cada registro'],
  ['crew short', `?tab=crew&crew=${tooMany}`, 'A la cuadrilla le faltan'],
] as const;

describe('views in Spanish', () => {
  for (const [name, query, text] of spanish) {
    it(name, async () => {
      const page = await openDashboard(browser, app, managerEmail, query, { locale: 'es-ES' });
      await page.getByText(text).first().waitFor();
      await settle(page);
      await inspect(page, `dashboard es ${name}`);
      await page.context().close();
    });
  }
});

describe('an organization without qualifications', () => {
  afterAll(() =>
    app.db.query(`update qualifications set status = 'active' where status = 'archived'`),
  );

  it('says what to do', async () => {
    await app.db.query(`update qualifications set status = 'archived' where status = 'active'`);
    const page = await openDashboard(browser, app, managerEmail);
    await page.getByRole('heading', { name: 'Set up your organization' }).waitFor();
    await page.getByText('This organization has no qualifications yet').waitFor();
    await inspect(page, 'dashboard setup');
    await page.context().close();
  });
});

for (const [email, shown] of Object.entries(views)) {
  describe(`every view of the dashboard of ${email}`, () => {
    let page: Page;
    beforeAll(async () => {
      page = await openDashboard(browser, app, email);
    });

    for (const [name, query, text] of shown) {
      it(name, async () => {
        await goToDashboard(page, app, query);
        await page.getByText(text).first().waitFor();
        await settle(page);
        await inspect(page, `dashboard ${name}`);
      });
    }
  });
}
