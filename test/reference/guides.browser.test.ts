/** The guides as people see and use them. */
import { openPage, startBrowser, startPortal } from '../support/browser.js';
import { inspect } from '../support/inspect.js';

const app = await startPortal();
const browser = await startBrowser();

describe('wide and narrow, in light and dark', () => {
  for (const guide of ['quickstart', 'concepts', 'authentication', 'deployment']) {
    it(guide, async () => {
      const page = await openPage(browser);
      await page.goto(`${app.origin}/docs/${guide}`);
      await inspect(page, `guide-${guide}`);
    });
  }
});

describe('the guides in use', () => {
  it('lead from one to the next, and to their headings', async () => {
    const page = await openPage(browser);
    await page.goto(app.origin);
    await page.getByRole('link', { name: 'Guides' }).click();
    await page.getByRole('link', { name: 'Next: Concepts' }).click();
    await page.getByRole('link', { name: 'Next: Authentication' }).click();
    expect(page.url()).toBe(`${app.origin}/docs/authentication`);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.getByRole('link', { name: 'The tokens' }).click();
    expect(new URL(page.url()).hash).toBe('#the-tokens');
    expect(await page.locator('#the-tokens').isVisible()).toBe(true);
  });

  it('open their contents on a phone, and close them at a choice', async () => {
    const page = await openPage(browser, { viewport: { width: 390, height: 800 } });
    await page.goto(`${app.origin}/docs/authentication`);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    expect(await contents.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Guides and search' }).click();
    await contents.getByRole('link', { name: 'The endpoints' }).click();
    await contents.waitFor({ state: 'hidden' });
    await page.locator('#the-endpoints').waitFor();
  });

  it('scroll wide tables on a phone, not the page', async () => {
    const page = await openPage(browser, { viewport: { width: 390, height: 800 } });
    await page.goto(`${app.origin}/docs/authentication`);
    const tables = await page
      .locator('.guide .scroll')
      .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(tables.some((beyond) => beyond > 0)).toBe(true);
  });

  it('copy their commands', async () => {
    const page = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${app.origin}/docs/quickstart`);
    await page.getByRole('button', { name: 'Copy the commands' }).first().click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('npm ci && npm start');
  });
});
