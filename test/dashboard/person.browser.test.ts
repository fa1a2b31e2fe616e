/** The page of a person, and the page in another language. */
import { startBrowser } from '../support/browser.js';
import { graphOf } from '../support/graph.js';
import * as demo from '../support/names.js';
import { openDashboard, settle, startDashboard } from './page.js';

const app = await startDashboard();
const browser = await startBrowser();
const manager = graphOf(app, demo.managerEmail);

describe('the page of a person', () => {
  it('is where a name leads, and has what the API says', async () => {
    const page = await openDashboard(browser, app, demo.managerEmail, '?q=jonah');
    await page.getByRole('link', { name: 'Jonah Tsosie', exact: true }).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    const text = `query ($organizationId: ID!, $id: ID!) { organizationMember(organizationId: $organizationId, id: $id) {
      jobRoles { jobRole { name qualifications { name } } } certifications(first: 50) { nodes { certificationType { title } } } } }`;
    const { jobRoles, certifications } = (
      await manager.data(text, {
        organizationId: demo.skylineId,
        id: demo.memberId(demo.climberEmail),
      })
    ).organizationMember;
    const facts = page.locator('.facts');
    for (const { jobRole } of jobRoles) {
      await facts.getByText(jobRole.name).waitFor();
      for (const { name } of jobRole.qualifications)
        await page.getByRole('link', { name: `Why? ${name}` }).waitFor();
    }
    const titles = await page.locator('.person .list tbody th').allTextContents();
    expect(titles).toStrictEqual(
      certifications.nodes.map(
        ({ certificationType }: { certificationType: { title: string } }) =>
          certificationType.title,
      ),
    );
    await page.getByRole('link', { name: 'All members' }).click();
    await page.getByLabel('Search by name').waitFor();
    await page.context().close();
  });
});

describe('the language', () => {
  it('is that of the browser, and can be chosen', async () => {
    const page = await openDashboard(browser, app, demo.managerEmail, '', { locale: 'es-MX' });
    await settle(page);
    await page.getByLabel('Buscar por nombre').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    await page.getByRole('link', { name: 'Cuenta' }).waitFor();
    await page.getByLabel('Buscar por nombre').fill('Hana');
    await page.getByText('1 de ').waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    expect(await page.getByLabel('Search by name').inputValue()).toBe('Hana');
    await page.getByLabel('Search by name').waitFor();
    await page.reload();
    await page.getByLabel('Search by name').waitFor();
    await page.context().close();
  });
});
