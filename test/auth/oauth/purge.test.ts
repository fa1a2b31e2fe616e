import { purgeExpired } from '../../../src/auth/oauth/purge.js';
import { climber, meStatus, startOAuthApp, ThirdParty } from './client.js';

const app = await startOAuthApp();
const reader = ThirdParty.reader(app.base);

const count = async (table: string) =>
  (await app.db.query<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count ?? 0;

test('purges what has expired, with all that hangs on it, and nothing else', async () => {
  const { access_token, refresh_token } = await reader.signIn(climber);
  const before = await count('oauth_artefacts');
  expect(before).toBeGreaterThan(0);
  expect((await purgeExpired(app.db)).oauth_artefacts).toBe(0);
  expect(await meStatus(app.base, access_token)).toBe(200);

  await reader.signIn(climber);
  await app.db.query(
    `update grants set expires_at = now() where id = (select id from grants order by created_at desc limit 1)`,
  );
  await app.db.query(
    `insert into revoked_tokens values ('old', now() - interval '61 minutes'), ('new', now() - interval '59 minutes')`,
  );
  const purged = await purgeExpired(app.db);
  expect([purged.grants, purged.revoked_tokens]).toEqual([1, 1]);
  expect((await reader.refresh(refresh_token)).status).toBe(200);

  await app.db.query(`update oauth_artefacts set expires_at = now() - interval '2 days'`);
  expect((await purgeExpired(app.db)).oauth_artefacts ?? 0).toBeGreaterThan(0);
  expect(await count('oauth_artefacts')).toBe(0);
  expect(await count('signing_keys')).toBe(3);
});

test('one process at a time', async () => {
  await app.db.query(
    `insert into revoked_tokens values ('another', now() - interval '61 minutes')`,
  );
  await app.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(7240118)');
    expect(await purgeExpired(app.db)).toStrictEqual({});
  });
  expect((await purgeExpired(app.db)).revoked_tokens).toBe(1);
});
