/** The React example: built by its own command, in a browser, against a server that comes and goes. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createProxy, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';
import { openPage, signIn, startBrowser } from '../support/browser.js';
import { clientOf, dataOf } from '../support/client.js';
import { inspect } from '../support/inspect.js';
import {
  climberEmail,
  managerEmail,
  memberId,
  skyline,
  skylineId,
  typeId,
} from '../support/names.js';
import { freePort } from '../support/server.js';

const example = join(packageRoot, 'clients/graphql/examples/react');
const port = await freePort();
const origin = `http://localhost:${port}`;
const app = await startApp({ BASE_URL: origin });
const browser = await startBrowser();

/** What browsers connect to. While it is closed, the server is away. */
const connections = new Set<Socket>();
const proxy = createProxy((inward) => {
  const outward = connect(Number(new URL(app.base).port), '127.0.0.1');
  inward.pipe(outward).pipe(inward);
  for (const socket of [inward, outward]) {
    connections.add(socket);
    socket.on('error', () => {}).on('close', () => [inward, outward].map((each) => each.destroy()));
  }
});
const arrive = () => once(proxy.listen(port, '127.0.0.1'), 'listening');
const leave = () => {
  proxy.close();
  for (const socket of connections) socket.destroy();
  connections.clear();
};

const built = mkdtempSync(join(tmpdir(), 'lanyard-react-'));
const site = createServer(({ url = '' }, response) => {
  const file = ['/main.js', '/main.css'].find((each) => each === url) ?? '/index.html';
  const type = { '/main.js': 'text/javascript', '/main.css': 'text/css' }[file] ?? 'text/html';
  const text = readFileSync(join(built, file), 'utf8');
  response
    .setHeader('content-type', type)
    .end(file === '/index.html' ? text.replaceAll('http://localhost:4000', origin) : text);
});
afterAll(() => {
  leave();
  site.closeAllConnections();
  site.close();
  rmSync(built, { recursive: true });
});

let page: Page;
let address = '';
beforeAll(async () => {
  const { scripts } = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'));
  const [command, ...args] = scripts.bundle.replace(/--outdir=\S+/, `--outdir=${built}`).split(' ');
  const program = join(packageRoot, 'node_modules/.bin', command);
  await promisify(execFile)(program, [...args, '--minify'], { cwd: example });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  await app.db.query(`update apps set redirect_uris = $1 where client_id = 'demo-reader'`, [
    [`${address}/callback`],
  ]);
  await arrive();
  page = await openPage(browser);
});

const rows = () => page.locator('tbody tr');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const shows = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();
const days = () =>
  page.locator('tbody time').evaluateAll((all) => all.map((each) => each.getAttribute('datetime')));
const api = clientOf(app, managerEmail);
const setScopes = (scopes: string) =>
  app.db.query(`update apps set api_scopes = ${scopes} where client_id = 'demo-reader'`);
/** The sign-ins of people through the app. */
const ofTheApp = `from grants where app_id = (select id from apps where client_id = 'demo-reader')`;
const dayAfter = (count: number) =>
  new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);

/** Counts the active certifications that expire within a year. */
async function countExpiring(): Promise<number> {
  const [row] = await app.db.query<{ count: number }>(
    `select count(*)::int as count from certifications
     where organization_id = $1 and lifecycle_status = 'active' and expires_on between $2 and $3`,
    [skylineId, dayAfter(0), dayAfter(365)],
  );
  return row?.count ?? 0;
}

test('signs the person in, and shows the first page with its cost', async () => {
  await page.goto(address);
  await inspect(page, 'react welcome');
  await button('Sign in with Lanyard').click();
  await signIn(page, managerEmail);
  await button('Allow').click();
  await rows().first().waitFor();
  expect(page.url()).toBe(`${address}/`);
  await shows(`1 to 15 of ${await countExpiring()}`);
  await page.getByText('Live', { exact: true }).waitFor();
  expect(await page.getByText(/^Cost \d+ of 50,000$/).count()).toBe(1);
  await inspect(page, 'react list');
});

test('pages to the end and back, by day', async () => {
  const first = await days();
  const count = await countExpiring();
  const all = [...first];
  for (let start = 15; start < count; start += 15) {
    await button('Next').click();
    await shows(`${start + 1} to ${Math.min(start + 15, count)} of ${count}`);
    all.push(...(await days()));
  }
  expect(all).toHaveLength(count);
  expect(all).toStrictEqual(all.toSorted());
  expect(await button('Next').getAttribute('aria-disabled')).toBe('true');
  for (let start = 15; start < count; start += 15) await button('Previous').click();
  await shows(`1 to 15 of ${count}`);
  expect(await days()).toStrictEqual(first);
});

test('filters by period, job role and text', async () => {
  await page.getByLabel('Expires').selectOption('Already expired');
  await rows().getByText('ago').first().waitFor();
  expect(await days()).toStrictEqual((await days()).toSorted().toReversed());
  await page.getByLabel('Expires').selectOption('Within 90 days');
  await page.getByLabel('Job role').selectOption('Rigger');
  await page.getByLabel('Search').fill('amara');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('tbody th')].every((each) => each.textContent?.includes('Amara')),
  );
  await page.getByLabel('Search').fill('nobody at all');
  await shows('No certifications');
  await page.getByLabel('Search').fill('');
  await page.getByLabel('Job role').selectOption('All');
  await page.getByLabel('Expires').selectOption('Within a year');
  await shows(`1 to 15 of ${await countExpiring()}`);
});

test('shows a change by REST without a reload', async () => {
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  const created = dataOf(
    await api.post(`${skyline}/certifications`, {
      organization_member_id: memberId(climberEmail),
      certification_type_id: typeId('rf-awareness'),
      issuer_name: 'Live Issuer',
      expires_on: dayAfter(0),
    }),
    201,
  );
  await page.locator('tr.changed').getByText('Live Issuer').waitFor();
  await shows(`1 to 15 of ${await countExpiring()}`);
  await api.patch(`${skyline}/certifications/${created.id}`, { issuer_name: 'Other Issuer' });
  await page.locator('tr.changed').getByText('Other Issuer').waitFor();
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
});

test('stays signed in after a reload, without interaction and without a stored token', async () => {
  await page.reload();
  await rows().first().waitFor();
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, sessionStorage]));
  expect(stored).toBe('[{},{"signed-in":"yes"}]');
});

test('names a scope that the app lacks, and continues when it has it', async () => {
  await setScopes(`array_remove(api_scopes, 'certification_records:read')`);
  await page.getByLabel('Expires').selectOption('Within 90 days');
  await page.getByText('This app lacks the scope certification_records:read.').waitFor();
  expect(await rows().count()).toBe(15);
  await inspect(page, 'react scope');
  await setScopes(`array_append(api_scopes, 'certification_records:read')`);
  await button('Try again').click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByText('Live', { exact: true }).waitFor();
});

test('waits as long as the server asks', async () => {
  const requests: number[] = [];
  await page.route('**/graphql', (route) =>
    requests.push(performance.now()) <= 2
      ? route.fulfill({
          status: 429,
          headers: { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' },
          json: {
            errors: [{ message: 'Wait.', extensions: { code: 'RATE_LIMITED', retry_after: 3 } }],
          },
        })
      : route.continue(),
  );
  await page.getByLabel('Expires').selectOption('Within a year');
  await page.getByText('There were too many requests.').waitFor();
  await page.getByText('(3 s)').waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await shows(`1 to 15 of ${await countExpiring()}`);
  const [first = 0, second = 0, third = 0] = requests;
  expect(second - first).toBeGreaterThan(2900);
  expect(third - second).toBeGreaterThan(2900);
  await page.unroute('**/graphql');
});

test('says that the sign-in has ended, and signs in again', async () => {
  await app.db.query(`delete ${ofTheApp}`);
  await page.getByLabel('Expires').selectOption('Within 30 days');
  await page.getByText('Your sign-in has ended.').waitFor();
  await button('Sign in again').click();
  await button('Allow').click();
  await shows(`1 to 15 of ${await countExpiring()}`);
});

test('keeps its records while the server is away, and continues when it is back', async () => {
  await page.getByText('Live', { exact: true }).waitFor();
  leave();
  await page.getByText('Reconnecting…').waitFor();
  await page.getByLabel('Expires').selectOption('Within 90 days');
  await page.getByText('Lanyard does not respond.').waitFor();
  expect(await rows().count()).toBe(15);
  const created = await api.post(`${skyline}/certifications`, {
    organization_member_id: memberId(climberEmail),
    certification_type_id: typeId('rf-awareness'),
    issuer_name: 'Meanwhile Issuer',
    expires_on: dayAfter(0),
  });
  expect(created.status).toBe(201);
  await arrive();
  await page.getByText('Meanwhile Issuer').waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByText('Live', { exact: true }).waitFor();
});

test('signs out', async () => {
  await button('Sign out').click();
  await button('Sign in with Lanyard').waitFor();
  expect(await app.db.query(`select id ${ofTheApp}`)).toEqual([]);
});
