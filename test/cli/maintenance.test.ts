import { purge, rotateSigningKeys } from '../../src/cli/operations/maintenance.js';
import { UsageError } from '../../src/cli/usage.js';
import { startApp } from '../support/app.js';

const app = await startApp();

test('keys rotate: a new key of each purpose, which signs after the overlap; the old ones end later', async () => {
  expect(String((await rotateSigningKeys(app.db, app.config, '600')).text)).toMatch(
    /^The new keys are published now and sign from 20/,
  );
  const rows = await app.db.query<{ purpose: string; waits: boolean; ends: boolean }>(
    `select purpose, active_from > now() + interval '590 seconds' as waits, retires_at > now() + interval '1500 seconds' - interval '10 seconds' as ends
     from signing_keys order by purpose, waits`,
  );
  const pair = (purpose: string) => [
    { purpose, waits: false, ends: true },
    { purpose, waits: true, ends: null },
  ];
  expect(rows).toStrictEqual(['access_token', 'cookie', 'id_token'].flatMap(pair));
});

test('keys rotate refuses an overlap within which clients may not learn of the keys', async () => {
  for (const overlap of ['0', '599', '-1', 'soon', '1e9'])
    await expect(rotateSigningKeys(app.db, app.config, overlap)).rejects.toThrow(UsageError);
});

test('purge tells what it deleted', async () => {
  await app.db.query(`insert into revoked_tokens values ('old', now() - interval '2 hours')`);
  const { text, json } = await purge(app.db);
  expect(String(text)).toMatch(/revoked_tokens: 1\n/);
  expect(JSON.stringify(json)).toMatch(/{"table":"revoked_tokens","rows":1}/);
});
