/** The "Try it" forms of the API reference. */
import type { Page, Request } from 'playwright-core';
import { enableOwnApp, referenceApp } from '../../src/auth/apps/own.js';
import { openPage, openPageOf, signIn, startBrowser, startPortal } from '../support/browser.js';
import { nobody } from '../support/changes.js';
import { inspect } from '../support/inspect.js';
import { climberEmail, harborId, managerEmail, userId } from '../support/names.js';

const app = await startPortal();
await enableOwnApp(app.db, nobody, app.config, referenceApp);
const browser = await startBrowser();

const isApi = (request: Request) => new URL(request.url()).pathname.startsWith('/v1/organizations');

/** Opens the form of an operation, signed in, and records the requests of the API. */
async function openForm(
  operation: string,
  email: string,
): Promise<{ readonly page: Page; readonly sent: Request[] }> {
  const page = await openPageOf(browser, app, email);
  const sent: Request[] = [];
  page.on('request', (request) => isApi(request) && sent.push(request));
  page.on('request', (request) => expect(new URL(request.url()).origin).toBe(app.origin));
  await page.goto(`${app.origin}/docs`);
  await page.locator(`#${operation}-try button`).click();
  await page.locator(`#${operation}-try form`).waitFor();
  return { page, sent };
}

it('sends a GET as the person who signed in, and shows the response', async () => {
  const page = await openPage(browser);
  await page.goto(`${app.origin}/docs`);
  expect(await page.locator('.try-form').count()).toBe(0);
  await page.locator('#ListOrganizationMembers-try button').click();
  await signIn(page, managerEmail);
  const area = page.locator('#ListOrganizationMembers-try');
  await area.getByText(`Signed in as ${managerEmail}`).waitFor();
  expect(page.url()).toBe(`${app.origin}/docs#ListOrganizationMembers`);
  const sent: Request[] = [];
  page.on('request', (request) => isApi(request) && sent.push(request));
  await area.getByLabel('limit').fill('2');
  await area.getByRole('button', { name: 'Send the GET request' }).click();
  await area.getByText('200 OK').waitFor();
  const body = JSON.parse((await area.locator('.reply > pre').textContent()) ?? '');
  expect(body.data).toHaveLength(2);
  expect(body.page.has_more).toBe(true);
  expect(await area.locator('.reply .hljs-attr').count()).toBeGreaterThan(10);
  await area.getByText(/^\d+ headers$/).click();
  await area.getByText('x-request-id:').waitFor();
  expect(sent).toHaveLength(1);
  const { authorization, cookie } = (await sent[0]?.allHeaders()) ?? {};
  expect([/^Bearer /.test(authorization ?? ''), cookie]).toStrictEqual([true, undefined]);
  await page.context().close();
});

it('sends a POST only when it is told to, says that it changes data, and shows errors', async () => {
  const { page, sent } = await openForm('CreateOrganizationMember', managerEmail);
  const area = page.locator('#CreateOrganizationMember-try');
  await area.getByText('This changes real data.').waitFor();
  expect(sent).toEqual([]);
  const body = area.getByLabel(/^Body/);
  await body.fill('{ "email": "new.person@skyline.example", "display_name": "New Person" }');
  const send = area.getByRole('button', { name: 'Send the POST request' });
  await send.click();
  await area.getByText('201 Created').waitFor();
  const [row] = await app.db.query<object>(
    `select display_name as name, status from organization_members where email = $1`,
    ['new.person@skyline.example'],
  );
  expect(row).toStrictEqual({ name: 'New Person', status: 'invited' });
  await send.click(); // the same key: a replay
  await area.getByText('idempotency-replayed: true').waitFor({ state: 'attached' });
  await body.fill('{ "email": 1');
  await area.getByLabel('Idempotency-Key').fill('another');
  await send.click();
  await area.getByText('400 Bad Request').waitFor();
  await area.getByText('"malformed_json"').waitFor();
  expect(sent).toHaveLength(3);
  await inspect(page, 'reference try POST');
  await page.context().close();
});

it('keeps no token in the page or the browser, and ends the sign-in with the page', async () => {
  const email = 'desta.alemu@skyline.example';
  const { page } = await openForm('GetMe', email);
  const send = page.locator('#GetMe-try').getByRole('button', { name: 'Send the GET request' });
  await send.click();
  await page.locator('#GetMe-try').getByText('200 OK').waitFor();
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  expect(kept + (await page.content())).not.toMatch(/eyJ[\w-]{10}/);
  await page.goto(`${app.origin}/docs/api`);
  const grants = async () =>
    (await app.db.query('select from grants where user_id = $1', [userId(email)])).length;
  for (let tries = 0; tries < 50 && (await grants()) > 0; tries++) await page.waitForTimeout(100);
  expect(await grants()).toBe(0);
  await page.goBack();
  await page.locator('#GetMe-try button').first().waitFor();
  expect(await page.locator('.try-form').count()).toBe(0);
  await page.context().close();
});

it("has the person's own organization where that of the example is out of reach", async () => {
  const { page } = await openForm('ListOrganizationMembers', 'admin@harbor.example');
  expect(
    await page
      .locator('#ListOrganizationMembers-try')
      .getByRole('textbox', { name: 'organization_id path' })
      .inputValue(),
  ).toBe(harborId);
  await page.context().close();
});

it('says when the sign-in has ended, and signs in again', async () => {
  const { page } = await openForm('GetMe', climberEmail);
  await app.db.query('delete from grants');
  await page.locator('#GetMe-try').getByRole('button', { name: 'Send the GET request' }).click();
  await page.locator('#GetMe-try').getByText('Your sign-in has ended.').waitFor();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.locator('#GetMe-try form').waitFor();
  await page.context().close();
});

it('ignores the authorization response of another page, and runs nothing from a link', async () => {
  const page = await openPageOf(browser, app, managerEmail);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  await page.goto(`${app.origin}/docs?code=stolen&state=unknown#CreateOrganizationMember`);
  await page.waitForLoadState('networkidle');
  expect(sent.filter((path) => /token|authorize|^\/v1\//.test(path))).toEqual([]);
  expect(await page.locator('.try-form').count()).toBe(0);
  await page.context().close();
});

it('says what to do where it is not enabled', async () => {
  const set = (status: string) =>
    app.db.query('update apps set status = $2 where client_id = $1', [
      referenceApp.clientId,
      status,
    ]);
  await set('disabled');
  const page = await openPageOf(browser, app, managerEmail);
  await page.goto(`${app.origin}/docs`);
  await page.locator('#GetMe-try button').click();
  await page.getByText('lanyard reference enable').waitFor();
  await inspect(page, 'reference try disabled');
  await set('active');
  await page.context().close();
});
