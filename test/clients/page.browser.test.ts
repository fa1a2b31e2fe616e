/** The client in a page of another origin, as a bundler makes it for browsers. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { packageRoot } from '../../src/root.js';
import { openPage, startBrowser, startPortal } from '../support/browser.js';
import { ensure } from '../support/expect.js';
import { climberEmail, managerEmail, memberId, skylineId, typeId } from '../support/names.js';

const app = await startPortal();
const browser = await startBrowser();
const entry = join(packageRoot, 'clients/typescript/src/index.ts');
const built = await build({
  ...{
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
  },
  globalName: 'client',
  metafile: true,
  minify: true,
});
const script = built.outputFiles[0]?.text ?? '';
const site = createServer((_, response) =>
  response.setHeader('content-type', 'text/html').end(`<script>${script}</script>`),
);
await once(site.listen(0, '127.0.0.1'), 'listening');
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

let page: Page;
beforeAll(async () => {
  page = await openPage(browser);
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
});

/** What the body of an async function makes in the page, with `lanyard` and `client` at hand. */
const evaluate = async (body: string) =>
  page.evaluate(`(async () => {
    const lanyard = client.createLanyard({ baseUrl: '${app.origin}', token: () => '${await app.token(managerEmail)}', patience: 5000 });
    ${body}
  })()`);

test('the bundle has openapi-fetch and nothing else besides, in less than 15 kB', () => {
  const packages = Object.keys(built.metafile.inputs).flatMap(
    (file) => file.match(/(?<=node_modules\/)(@[^/]+\/)?[^/]+/g) ?? [],
  );
  expect([...new Set(packages)]).toEqual(['openapi-fetch']);
  ensure(script.length < 15_000, `${script.length} bytes`);
});

test('it reads a list to the end, and follows it', async () => {
  const [row] = await app.db.query<{ count: number }>(
    'select count(*)::int as count from certifications where organization_id = $1',
    [skylineId],
  );
  const counted = await evaluate(`
    const path = '/v1/organizations/{organization_id}/certifications';
    const params = { path: { organization_id: '${skylineId}' } };
    let [listed, followed] = [0, 0];
    for await (const record of client.records(lanyard, path, { params: { ...params, query: { limit: 20 } } })) listed++;
    for await (const { records } of client.follow(lanyard, path, { params })) followed += records.length;
    return [listed, followed];`);
  expect(counted).toStrictEqual([row?.count, row?.count]);
});

test('it creates once, and reads the headers of the answer', async () => {
  const body = {
    organization_member_id: memberId(climberEmail),
    certification_type_id: typeId('rf-awareness'),
    serial_number: 'page',
  };
  const replayed = await evaluate(`
    const input = { params: { path: { organization_id: '${skylineId}' } }, body: ${JSON.stringify(body)}, headers: { 'Idempotency-Key': 'page' } };
    await lanyard.post('/v1/organizations/{organization_id}/certifications', input);
    const { response } = await lanyard.raw.POST('/v1/organizations/{organization_id}/certifications', input);
    return response.headers.get('idempotency-replayed');`);
  expect(replayed).toBe('true');
  expect(
    await app.db.query('select id from certifications where serial_number = $1', ['page']),
  ).toHaveLength(1);
});

test('its errors have code and request id', async () => {
  const error = await evaluate(`
    const problem = await lanyard.get('/v1/certification-types/{certification_type_id}', { params: { path: { certification_type_id: 'x' } } }).catch((error) => error);
    return [problem.name, problem.status, problem.code, typeof problem.requestId];`);
  expect(error).toEqual(['LanyardError', 422, 'validation_error', 'string']);
});
