/** Every command of docs/idempotency.md, in order, in one shell, the program in it included. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.js';
import { installClient } from '../support/installed-client.js';
import { managerEmail } from '../support/names.js';
import { assertShown, exampleOf, programOf, readPage, startShell, stepsOf, withToken } from '../support/walkthrough.js';

const app = await startApp();
const { directory, run } = startShell();
const page = readPage('idempotency.md', app.base);

test('the program of the page is the example', () => {
  assert.equal(programOf(page), exampleOf('create.ts'));
});

test('docs/idempotency.md works as it stands, and each member is there once', async () => {
  installClient(directory, 'create.ts', programOf(page));
  const steps = stepsOf(page);
  assert.ok(steps.length >= 5);
  for (const step of steps) assertShown(await run(withToken(step.command, await app.token(managerEmail))), step);
  const members = await app.db.query(
    `select external_id as "externalId" from organization_members where external_id like 'HR-08%' order by external_id`,
  );
  assert.deepEqual(members, [{ externalId: 'HR-0815' }, { externalId: 'HR-0817' }]);
});
