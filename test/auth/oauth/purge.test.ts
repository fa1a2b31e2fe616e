import assert from 'node:assert/strict';
import { test } from 'node:test';
import { purgeExpired } from '../../../src/auth/oauth/purge.js';
import { climber, meStatus, startOAuthApp, ThirdParty } from './client.js';

const app = await startOAuthApp();
const reader = ThirdParty.reader(app.base);

const count = async (table: string) => (await app.db.query<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count ?? 0;

test('purges what has expired, with all that hangs on it, and nothing else', async () => {
  const { access_token, refresh_token } = await reader.signIn(climber);
  const before = await count('oauth_artefacts');
  assert.ok(before > 0);
  assert.equal((await purgeExpired(app.db)).oauth_artefacts, 0);
  assert.equal(await meStatus(app.base, access_token), 200);

  await reader.signIn(climber);
  await app.db.query(`update grants set expires_at = now() where id = (select id from grants order by created_at desc limit 1)`);
  await app.db.query(`insert into revoked_tokens values ('old', now() - interval '61 minutes'), ('new', now() - interval '59 minutes')`);
  const purged = await purgeExpired(app.db);
  assert.deepEqual([purged.grants, purged.revoked_tokens], [1, 1]);
  assert.equal((await reader.refresh(refresh_token)).status, 200);

  await app.db.query(`update oauth_artefacts set expires_at = now() - interval '2 days'`);
  assert.ok(((await purgeExpired(app.db)).oauth_artefacts ?? 0) > 0);
  assert.equal(await count('oauth_artefacts'), 0);
  assert.equal(await count('signing_keys'), 3);
});

test('one process at a time', async () => {
  await app.db.query(`insert into revoked_tokens values ('another', now() - interval '61 minutes')`);
  await app.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(7240118)');
    assert.deepEqual(await purgeExpired(app.db), {});
  });
  assert.equal((await purgeExpired(app.db)).revoked_tokens, 1);
});
