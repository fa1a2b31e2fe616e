/** The public pages as people see and use them. */
import { join } from 'node:path';
import { dashboardApp, enableOwnApp } from '../../src/auth/apps/own.js';
import { routes } from '../../src/rest/routes.js';
import { packageRoot } from '../../src/root.js';
import { openPage, openPageOf, startBrowser, startPortal } from '../support/browser.js';
import { nobody } from '../support/changes.js';
import { ensure } from '../support/expect.js';
import { inspect } from '../support/inspect.js';
import { managerEmail } from '../support/names.js';

const app = await startPortal();
const browser = await startBrowser();

describe('wide and narrow, in light and dark', () => {
  it('home', async () => {
    const page = await openPage(browser);
    await page.goto(app.origin);
    await inspect(page, 'welcome');
    const picture = page.locator('.picture img');
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1650);
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/portal');
    await page.getByRole('link', { name: 'Read the reference' }).click();
    expect(page.url()).toBe(`${app.origin}/docs`);
  });

  it('the query of the home page returns what it asks for', async () => {
    const page = await openPage(browser);
    await page.goto(app.origin);
    const query = (await page.locator('#query').textContent()) ?? '';
    const { body } = await app.graphql(query, {}, { token: await app.token(managerEmail) });
    expect(body.errors).toBeUndefined();
    expect(body.data.qualificationForecast.nodes.length).toBeGreaterThan(0);
  });

  async function takePictures(): Promise<void> {
    await enableOwnApp(app.db, nobody, app.config, dashboardApp);
    for (const colorScheme of ['light', 'dark'] as const) {
      const options = { viewport: { width: 1100, height: 720 }, deviceScaleFactor: 1.5 };
      const page = await openPageOf(browser, app, managerEmail, {
        ...options,
        colorScheme,
      });
      await page.goto(`${app.origin}/dashboard`);
      await page.getByText('Amara Okonkwo').first().waitFor();
      await page.screenshot({ path: join(packageRoot, `public/dashboard-${colorScheme}.png`) });
    }
  }
  if (process.env.LANYARD_HOME_PICTURE) it('the pictures of the home page are taken', takePictures);

  it('reference', async () => {
    const page = await openPage(browser);
    await page.goto(`${app.origin}/docs`);
    await inspect(page, 'reference');
  });

  it('the contents on a phone', async () => {
    const page = await openPage(browser, { viewport: { width: 390, height: 800 } });
    await page.goto(`${app.origin}/docs`);
    await page.getByRole('button', { name: 'Contents and search' }).click();
    await page.getByRole('link', { name: 'Get me GET' }).click();
    expect(new URL(page.url()).hash).toBe('#GetMe');
    await page.getByRole('navigation', { name: 'Contents' }).waitFor({ state: 'hidden' });
    await page.locator('#GetMe h3').waitFor();
  });
});

describe('the reference in use', () => {
  it('searches the guides too', async () => {
    const page = await openPage(browser);
    await page.goto(`${app.origin}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('retry a create');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search' }).waitFor();
    await page.getByText(/results for/).waitFor();
    await inspect(page, 'search');
    await page.locator('.results a').first().click();
    expect(new URL(page.url()).pathname).toMatch(/^\/docs/);
  });

  it('finds operations by any of their names, and shows all again', async () => {
    const page = await openPage(browser);
    await page.goto(`${app.origin}/docs`);
    const shown = () =>
      page
        .locator('article.operation:visible')
        .evaluateAll((articles) => articles.map(({ id }) => id));
    await page.keyboard.press('/');
    await page.keyboard.type('serial_number patch');
    expect(await shown()).toEqual(['UpdateCertification']);
    await page.getByText(`1 of ${routes.length} operations.`).waitFor();
    await page.getByLabel('Search').fill('job_roles:write');
    expect(await shown()).toEqual(['UpdateJobRole', 'AssignJobRole', 'RemoveJobRole']);
    await page.getByLabel('Search').fill('no such thing');
    expect(await shown()).toEqual([]);
    await page.getByLabel('Search').fill('');
    expect(await shown()).toHaveLength(routes.length);
  });

  it('shows every example in the language that one was asked for in, the next time too', async () => {
    const page = await openPage(browser);
    await page.goto(`${app.origin}/docs#ListQualifications`);
    const article = page.locator('#ListQualifications');
    await article.getByText('Python').click();
    for (const operation of ['ListQualifications', 'GetMe']) {
      expect(await page.locator(`#${operation}-Python`).isVisible()).toBe(true);
      expect(await page.locator(`#${operation}-curl`).isVisible()).toBe(false);
    }
    await page.reload();
    expect(await page.locator('#GetMe-Python').isVisible()).toBe(true);
    await page.locator('#GetMe').getByLabel('Python', { exact: true }).press('ArrowRight');
    expect(await page.locator('#GetMe-document').isVisible()).toBe(true);
  });

  it('keeps the tab where it is when all examples change', async () => {
    const page = await openPage(browser);
    await page.goto(`${app.origin}/docs#ListResults`);
    const tab = page.locator('#ListResults').getByText('TypeScript', { exact: true });
    const before = await tab.boundingBox();
    await tab.click();
    const after = await tab.boundingBox();
    ensure(before && after && Math.abs(before.y - after.y) < 2, `${before?.y} ${after?.y}`);
  });

  it('copies an example', async () => {
    const page = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${app.origin}/docs#GetMe`);
    await page.locator('#GetMe').getByRole('button', { name: 'Copy the curl example' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(
      await page.locator('#GetMe-curl').evaluate(({ textContent }) => textContent),
    );
  });

  it('can be read without scripts', async () => {
    const page = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${app.origin}/docs#GetMe`);
    await page.locator('#GetMe').getByText('Python').click();
    expect(await page.locator('#GetMe-Python').isVisible()).toBe(true);
    expect(await page.locator('#GetMe-curl').isVisible()).toBe(false);
  });
});
