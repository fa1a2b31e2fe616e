/** The program of clients/typescript/README.md, as its readers run it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.js';
import { installClient } from '../support/installed-client.js';
import { blocksOf, readText } from '../support/markdown.js';
import { managerEmail, nothing, skylineId } from '../support/names.js';
import { exampleOf, startShell } from '../support/walkthrough.js';

const app = await startApp();
const blocks = blocksOf(readText('clients/typescript/README.md'));
const program = blocks[0]?.text ?? '';
const { directory, run } = startShell({ LANYARD_URL: app.base, TOKEN: await app.token(managerEmail) });
installClient(directory, 'certifications.ts', program);

test('it is the example, and all that the page has', () => {
  assert.deepEqual(
    blocks.map(({ language }) => language),
    ['ts'],
  );
  assert.equal(program, exampleOf('certifications.ts'));
});

test('it lists what has ended', async () => {
  const rows = await app.db.query<{ line: string }>(
    `select t.title || ' ended on ' || c.expires_on as line from certifications c join certification_types t on t.id = c.certification_type_id
     where c.organization_id = $1 and c.expires_on < (now() at time zone 'UTC')::date order by c.updated_at, c.id`,
    [skylineId],
  );
  const printed = await run(`ORGANIZATION=${skylineId} node certifications.ts`);
  assert.ok(rows.length > 0);
  assert.equal(printed, rows.map(({ line }) => `${line}\n`).join(''));
});

test('it says what goes wrong', async () => {
  const printed = await run(`ORGANIZATION=${nothing} node certifications.ts 2>&1 || true`);
  assert.match(printed, /^403 forbidden: You cannot reach this organization or member\. \(request [\w.-]+\)$/m);
});
