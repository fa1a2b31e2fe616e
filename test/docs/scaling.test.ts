/** The statements of docs/scaling.md give a role what it must have behind a pooler. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { checkServer } from '../../src/database/session.js';
import { createDatabase } from '../support/database.js';
import { blocksOf, readText } from '../support/markdown.js';

const database = await createDatabase('template1');
const { username, pathname } = new URL(database.url);
after(() => database.drop());

const [statements, ...others] = blocksOf(readText('docs/scaling.md')).filter(({ language }) => language === 'sql');

test('with them a server starts, and without any one of them it does not', async () => {
  assert.deepEqual(others, []);
  const names = statements?.text
    .replaceAll('role "lanyard"', `role "${username}"`)
    .replaceAll('database "lanyard"', `database "${pathname.slice(1)}"`);
  const lines = names?.match(/^alter role .+;/gm) ?? [];
  assert.ok(lines.length >= 5);
  const client = new pg.Client(database.url);
  await client.connect();
  try {
    await assert.rejects(checkServer(database.url, true), /must have these settings/);
    for (const line of lines) await client.query(line);
    await checkServer(database.url, true);
    for (const line of lines.filter((each) => !each.includes('timezone'))) {
      await client.query(line.replace(/ set (\w+) = .*/, ' reset $1'));
      await assert.rejects(checkServer(database.url, true), /must have these settings/, line);
      await client.query(line);
    }
  } finally {
    await client.end();
  }
});
