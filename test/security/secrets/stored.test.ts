/** What the database keeps of secrets: hashes, slow ones where a person chose the secret. And what a line of the log keeps of an error. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { demoSyncSecret } from '../../../src/database/demo/apps.js';
import { demoPassword } from '../../../src/database/demo/people.js';
import { createLogger, toLoggedPath } from '../../../src/edge/log.js';
import { Browser } from '../../auth/oauth/browser.js';
import { climber, startOAuthApp, ThirdParty } from '../../auth/oauth/client.js';

const app = await startOAuthApp();
const { db } = app;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashesOf = async (table: string, column: string): Promise<string[]> =>
  (await db.query<{ hash: string }>(`select encode(${column}, 'hex') as hash from ${table}`)).map(({ hash }) => hash);

it('a password is kept by argon2id at 19 MiB and two passes, each under a salt of its own', async () => {
  const browser = new Browser(app.base);
  const account = async () => browser.get('/portal/account');
  await browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', { email: climber, password: demoPassword });
  const password = 'seven steel bolts 42';
  await browser.submit(await account(), '/account/password', { current: demoPassword, password, repeated: password });
  const rows = await db.query<{ hash: string }>('select password_hash as hash from users where password_hash is not null');
  assert.ok(rows.length > 5);
  for (const { hash } of rows) assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  const [own] = await db.query<{ hash: string }>('select password_hash as hash from users where email = $1', [climber]);
  assert.equal(rows.filter(({ hash }) => hash.split('$')[4] === own?.hash.split('$')[4]).length, 1);
});

it('client secrets, codes, refresh tokens and sessions are kept by SHA-256: they are 256 random bits', async () => {
  await app.db.query(
    `update users set password_hash = (select password_hash from users where email = 'admin@skyline.example') where email = $1`,
    [climber],
  );
  const sync = ThirdParty.sync(app.base);
  const got = await sync.authorize(new Browser(app.base), climber);
  const { body } = await sync.redeem(got);
  for (const secret of [got.code, body.refresh_token]) assert.ok(Buffer.from(secret, 'base64url').length >= 32);
  const kept = await hashesOf('oauth_artefacts', 'id_hash');
  for (const secret of [got.code, body.refresh_token]) assert.ok(kept.includes(sha256(secret)));
  assert.deepEqual(await hashesOf('app_secrets', 'hash'), [sha256(demoSyncSecret)]);
  const sessions = await hashesOf('web_sessions', 'secret_hash');
  assert.ok(sessions.length > 0 && sessions.every((hash) => hash.length === 64));
});

it('a line of the log keeps no value of a row, and nothing of a path that is longer than an id', async () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line: string) => void lines.push(line) });
  for (const statement of [
    `select 'se-cret'::uuid`,
    `select 'se-cret'::int`,
    `select 'se-cret'::jsonb`,
    `insert into users (id, email) values (null, 'se-cret')`,
  ]) {
    await db.query(statement).catch((err: unknown) => log.error({ err }, 'failed'));
  }
  assert.equal(lines.length, 4);
  for (const line of lines) assert.doesNotMatch(line, /se-cret/);
  assert.equal(toLoggedPath(`/v1/organizations/${crypto.randomUUID()}`).length, 54);
  assert.equal(toLoggedPath(`/v1/${'x'.repeat(37)}/members`), '/v1/…/members');
  assert.equal(toLoggedPath('/portal/links/short'), '/portal/links/…');
});
