/** The dashboard in a browser, and what the API says beside it. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { dashboardApp, enableOwnApp } from '../../src/auth/apps/own.js';
import { openPageOf, type PortalApp, startPortal } from '../support/browser.js';
import { nobody } from '../support/changes.js';

/** Starts the application with its dashboard enabled. */
export async function startDashboard(environment: Record<string, string> = {}): Promise<PortalApp> {
  const app = await startPortal(environment);
  await enableOwnApp(app.db, nobody, app.config, dashboardApp);
  return app;
}

/** Opens the dashboard for a person. What it asks of another origin fails the test. */
export async function openDashboard(
  browser: Browser,
  app: PortalApp,
  email: string,
  query = '',
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openPageOf(browser, app, email, options);
  page.on('request', (request) => expect(new URL(request.url()).origin).toBe(app.origin));
  await goToDashboard(page, app, query);
  return page;
}

export async function goToDashboard(page: Page, app: PortalApp, query: string): Promise<void> {
  await page.goto(`${app.origin}/dashboard${query}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Waits until nothing is being loaded. */
export async function settle(page: Page): Promise<void> {
  const loading = page.locator('.loading');
  while ((await loading.count()) > 0) await loading.first().waitFor({ state: 'detached' });
}
