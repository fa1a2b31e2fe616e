/** The statements of docs/scaling.md give a role what it must have behind a pooler. */
import pg from 'pg';
import { checkServer } from '../../src/database/session.js';
import { createDatabase } from '../support/database.js';
import { blocksOf, readText } from '../support/markdown.js';

const database = await createDatabase('template1');
const { username, pathname } = new URL(database.url);
afterAll(() => database.drop());

const [statements, ...others] = blocksOf(readText('docs/scaling.md')).filter(
  ({ language }) => language === 'sql',
);

test('with them a server starts, and without any one of them it does not', async () => {
  expect(others).toEqual([]);
  const names = statements?.text
    .replaceAll('role "lanyard"', `role "${username}"`)
    .replaceAll('database "lanyard"', `database "${pathname.slice(1)}"`);
  const lines = names?.match(/^alter role .+;/gm) ?? [];
  expect(lines.length).toBeGreaterThanOrEqual(5);
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    await expect(checkServer(database.url, true)).rejects.toThrow(/must have these settings/);
    for (const line of lines) await client.query(line);
    await checkServer(database.url, true);
    for (const line of lines.filter((each) => !each.includes('timezone'))) {
      await client.query(line.replace(/ set (\w+) = .*/, ' reset $1'));
      await expect(checkServer(database.url, true)).rejects.toThrow(/must have these settings/);
      await client.query(line);
    }
  } finally {
    await client.end();
  }
});
