/**
 * What the database keeps of secrets: hashes, slow ones where a person chose the secret. And what a
 * line of the log keeps of an error.
 */
import { createHash } from 'node:crypto';
import { demoSyncSecret } from '../../../src/demo/apps.js';
import { demoPassword } from '../../../src/demo/people.js';
import { createLogger } from '../../../src/http/log.js';
import { toLoggedPath } from '../../../src/requests.js';
import { Browser } from '../../auth/oauth/browser.js';
import { climber, startOAuthApp, ThirdParty } from '../../auth/oauth/client.js';

const app = await startOAuthApp();
const { db } = app;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashesOf = async (table: string, column: string): Promise<string[]> =>
  (await db.query<{ hash: string }>(`select encode(${column}, 'hex') as hash from ${table}`)).map(
    ({ hash }) => hash,
  );

it('a password is kept by argon2id at 19 MiB and two passes, each under a salt of its own', async () => {
  const browser = new Browser(app.base);
  const account = async () => browser.get('/portal/account');
  await browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', {
    email: climber,
    password: demoPassword,
  });
  const password = 'seven steel bolts 42';
  await browser.submit(await account(), '/account/password', {
    current: demoPassword,
    password,
    repeated: password,
  });
  const rows = await db.query<{ hash: string }>(
    'select password_hash as hash from users where password_hash is not null',
  );
  expect(rows.length).toBeGreaterThan(5);
  for (const { hash } of rows)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  const [own] = await db.query<{ hash: string }>(
    'select password_hash as hash from users where email = $1',
    [climber],
  );
  expect(rows.filter(({ hash }) => hash.split('$')[4] === own?.hash.split('$')[4]).length).toBe(1);
});

it('client secrets, codes, refresh tokens and sessions are kept by SHA-256: they are 256 random bits', async () => {
  await app.db.query(
    `update users set password_hash = (select password_hash from users where email = 'admin@skyline.example') where email = $1`,
    [climber],
  );
  const sync = ThirdParty.sync(app.base);
  const got = await sync.authorize(new Browser(app.base), climber);
  const { body } = await sync.redeem(got);
  for (const secret of [got.code, body.refresh_token])
    expect(Buffer.from(secret, 'base64url').length).toBeGreaterThanOrEqual(32);
  const kept = await hashesOf('oauth_artefacts', 'id_hash');
  for (const secret of [got.code, body.refresh_token]) expect(kept).toContain(sha256(secret));
  expect(await hashesOf('app_secrets', 'hash')).toStrictEqual([sha256(demoSyncSecret)]);
  const sessions = await hashesOf('web_sessions', 'secret_hash');
  expect(sessions.length > 0 && sessions.every((hash) => hash.length === 64)).toBe(true);
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
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(line).not.toMatch(/se-cret/);
  expect(toLoggedPath(`/v1/organizations/${crypto.randomUUID()}`)).toHaveLength(54);
  expect(toLoggedPath(`/v1/${'x'.repeat(37)}/members`)).toBe('/v1/…/members');
  expect(toLoggedPath('/portal/links/short')).toBe('/portal/links/…');
});
