/**
 * Debian's Chromium without a window, driven by playwright-core, against the real application at
 * the address that it believes to have.
 */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { openSession } from '../../src/auth/accounts/sessions.js';
import { demoPassword } from '../../src/demo/people.js';
import { startApp, type TestApp } from './app.js';
import { complain } from './inspect.js';
import { userId } from './names.js';
import { freePort } from './server.js';

const flags = ['--disable-gpu', '--disable-quic'];

/** Starts the browser for a test file; it stops after the file's last test. */
export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: flags,
    chromiumSandbox: false,
  });
  afterAll(() => browser.close());
  return browser;
}

export interface PortalApp extends TestApp {
  /** Where browsers reach the application: a name, since passkeys take no IP address. */
  readonly origin: string;
}

/** Starts the application with a BASE_URL that is true. */
export async function startPortal(environment: Record<string, string> = {}): Promise<PortalApp> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  return { ...(await startApp({ PORT: String(port), BASE_URL: origin, ...environment })), origin };
}

/**
 * A page of a new browser profile, without cookies, that doesn't move. What its policy forbids, or
 * a script throws, fails the next `inspect`.
 */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('console', (message) => message.type() === 'error' && complain(page, message.text()));
  page.on('pageerror', (error) => complain(page, error.message));
  return page;
}

/**
 * A page in whose browser the person signed in just now, without the walk through the sign-in page.
 */
export async function openPageOf(
  browser: Browser,
  app: PortalApp,
  email: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openPage(browser, options);
  const value = await openSession(app.db, userId(email), 'password', {
    userAgent: 'Chromium',
    address: '127.0.0.1',
  });
  await page
    .context()
    .addCookies([
      { name: 'lanyard_session', value, url: app.origin, httpOnly: true, sameSite: 'Lax' },
    ]);
  return page;
}

/** Fills in the sign-in form, and waits for the page after it. */
export async function signIn(page: Page, email: string, password = demoPassword): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForLoadState();
}

/**
 * What the browser brings to an app's redirect URI after `go`. Nobody need listen there: the
 * browser's own page of an error will do.
 */
export async function callbackOf(
  page: Page,
  redirectUri: string,
  go: () => Promise<unknown>,
): Promise<URLSearchParams> {
  const hasArrived = (url: string) =>
    url.startsWith('chrome-error:') || url.startsWith(redirectUri);
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().startsWith(`${redirectUri}?`)),
    page.waitForEvent('framenavigated', (frame) => hasArrived(frame.url())),
    go(),
  ]);
  return new URL(request.url()).searchParams;
}
