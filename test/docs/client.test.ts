/** The program of clients/typescript/README.md, as its readers run it. */
import { startApp } from '../support/app.js';
import { installClient } from '../support/installed-client.js';
import { blocksOf, readText } from '../support/markdown.js';
import { managerEmail, nothing, skylineId } from '../support/names.js';
import { exampleOf, startShell } from '../support/walkthrough.js';

const app = await startApp();
const blocks = blocksOf(readText('clients/typescript/README.md'));
const program = blocks[0]?.text ?? '';
const command = blocks[1]?.text ?? '';
const { directory, run } = startShell({
  BASE: app.base,
  TOKEN: await app.token(managerEmail),
});
installClient(directory, 'certifications.ts', program);

test('it is the example, and all that the page has', () => {
  expect(blocks.map(({ language }) => language)).toEqual(['ts', 'sh']);
  expect(program).toBe(exampleOf('certifications.ts'));
});

test('it lists what has ended', async () => {
  const rows = await app.db.query<{ line: string }>(
    `select t.title || ' ended on ' || c.expires_on as line from certifications c join certification_types t on t.id = c.certification_type_id
     where c.organization_id = $1 and c.expires_on < (now() at time zone 'UTC')::date order by c.updated_at, c.id`,
    [skylineId],
  );
  const printed = await run(`ORGANIZATION=${skylineId}\n${command}`);
  expect(rows.length).toBeGreaterThan(0);
  expect(printed).toBe(rows.map(({ line }) => `${line}\n`).join(''));
});

test('it says what goes wrong', async () => {
  const printed = await run(`ORGANIZATION=${nothing}\n${command.trim()} 2>&1 || true`);
  expect(printed).toMatch(
    /^403 forbidden: You cannot reach this organization or member\. \(request [\w.-]+\)$/m,
  );
});
