/** Every command of docs/sync.md, in order, in one shell, the program in it included. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { records } from '../../clients/typescript/src/index.js';
import { collect, lanyardOf } from '../clients/lanyard.js';
import { startApp } from '../support/app.js';
import { installClient } from '../support/installed-client.js';
import { managerEmail, skylineId } from '../support/names.js';
import { assertShown, exampleOf, programOf, readPage, startShell, stepsOf, withToken } from '../support/walkthrough.js';

const app = await startApp();
const token = await app.token(managerEmail);
const { directory, run } = startShell();
const page = readPage('sync.md', app.base);
const program = programOf(page);
const printed = new Map<string, string>();

test('the program of the page is the example, which the tests of the client run', () => {
  assert.equal(program.replaceAll(app.base, 'http://127.0.0.1:4000'), exampleOf('mirror.ts'));
});

test('docs/sync.md works as it stands', async () => {
  installClient(directory, 'mirror.ts', program);
  const steps = stepsOf(page);
  assert.ok(steps.length >= 7);
  for (const step of steps) {
    const output = await run(withToken(step.command, token));
    printed.set(step.command, output);
    assertShown(output, step);
  }
});

test('what counts today, worked out from the copy, is what the server says', async () => {
  const [counting = ''] = [...printed].filter(([command]) => command.includes('as counting')).map(([, output]) => output);
  const list = '/v1/organizations/{organization_id}/certifications';
  const all = await collect(records(lanyardOf(app, managerEmail), list, { params: { path: { organization_id: skylineId } } }));
  const counts = all.filter(
    ({ lifecycle_status, validity_status, verification_status, source, issued_on }) =>
      lifecycle_status === 'active' &&
      (validity_status === 'valid' || validity_status === 'expiring') &&
      verification_status !== 'failed' &&
      (source !== 'self-reported' || verification_status === 'verified') &&
      (issued_on ?? '') <= new Date().toISOString().slice(0, 10),
  );
  assert.ok(counts.length > 0 && counts.length < all.length);
  assert.deepEqual(JSON.parse(counting), [{ counting: counts.length }]);
});
