/** Debian's Chromium, driven by playwright-core, against the real application at the address that it believes to have. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { demoPassword } from '../../src/database/demo/people.js';
import { startApp, type TestApp } from './app.js';
import { freePort } from './server.js';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the browser for a test file; it stops after the file's last test. */
export async function startBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: flags,
    chromiumSandbox: false,
  });
  after(() => browser.close());
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

/** A page of a new browser profile, without cookies. What the policy of a page forbids, or a script throws, fails the next {@link inspect}. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('console', (message) => message.type() === 'error' && complain(page, message.text()));
  page.on('pageerror', (error) => complain(page, error.message));
  return page;
}

const complaints = new WeakMap<Page, string[]>();

function complain(page: Page, text: string): void {
  // Pages of errors are looked at, too.
  if (/^Failed to load resource: the server responded with a status of 4/.test(text)) return;
  complaints.set(page, [...(complaints.get(page) ?? []), text]);
}

/** Fills in the sign-in form, and waits for the page after it. */
export async function signIn(page: Page, email: string, password = demoPassword): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForLoadState();
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = process.env.LANYARD_SCREENSHOTS;

const schemes = ['light', 'dark'] as const;
/** Each width and each scheme once: what fits hardly depends on colours, nor contrast on widths. Pictures are wanted of all four. */
const views = folder
  ? [1280, 390].flatMap((width) => schemes.map((scheme) => [width, scheme] as const))
  : ([
      [1280, 'light'],
      [390, 'dark'],
    ] as const);

/**
 * Looks at a page as wide as a desk and as narrow as a phone, in light and dark: nothing serious for axe-core, nothing beside the edge, no
 * complaint of the browser. With LANYARD_SCREENSHOTS, a folder, keeps pictures there.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  for (const [width, colorScheme] of views) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const view = `${name} ${width} ${colorScheme}`;
    assert.deepEqual(await seriousProblems(page), [], view);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), `${view} is wider than the window`);
    if (folder) {
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: `${folder}/${view.replaceAll(' ', '-')}.png`, fullPage: true });
    }
  }
  assert.deepEqual(complaints.get(page) ?? [], [], name);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** By the debugger's protocol, which the page's policy doesn't concern. */
async function seriousProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[];
  }>('axe.run(document, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } })');
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

/** What the browser brings to an app's redirect URI after `go`. Nobody need listen there: the browser's own page of an error will do. */
export async function callbackOf(page: Page, redirectUri: string, go: () => Promise<unknown>): Promise<URLSearchParams> {
  const hasArrived = (url: string) => url.startsWith('chrome-error:') || url.startsWith(redirectUri);
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().startsWith(`${redirectUri}?`)),
    page.waitForEvent('framenavigated', (frame) => hasArrived(frame.url())),
    go(),
  ]);
  return new URL(request.url()).searchParams;
}
