/**
 * No secret in a log, an error, a response that doesn't hand it out, or the database: a broad walk
 * at the most talkative level, then a search for each.
 */

import { createLink } from '../../../src/auth/accounts/links.js';
import { KeyRing } from '../../../src/auth/keys.js';
import { readConfig } from '../../../src/config.js';
import { connect } from '../../../src/database/connect.js';
import { Database } from '../../../src/database/connection.js';
import { demoSyncSecret } from '../../../src/demo/apps.js';
import { demoPassword } from '../../../src/demo/people.js';
import { entities } from '../../../src/entities/tables.js';
import { Browser } from '../../auth/oauth/browser.js';
import { basic, postForm, ThirdParty } from '../../auth/oauth/client.js';
import { nobody } from '../../support/changes.js';
import { createDatabase } from '../../support/database.js';
import { climberEmail, managerEmail, skyline, userId } from '../../support/names.js';
import { freePort, runLanyard, startServer } from '../../support/server.js';
import { Recorder } from './recorder.js';

const recorder = new Recorder();
globalThis.fetch = recorder.fetch;
const { learn } = { learn: recorder.learn.bind(recorder) };

const database = await createDatabase();
const port = await freePort();
// A name, since passkeys take no IP address.
const base = `http://localhost:${port}`;
const smtpPassword = learn('SMTP password', 'smtp-Vq82-password');
const redisPassword = learn('Redis password', 'redis-Kx31-password');
const environment = {
  // In development a start greets with the demo password.
  NODE_ENV: 'test',
  DATABASE_URL: database.url,
  BASE_URL: base,
  LOG_LEVEL: 'trace',
  SMTP_URL: `smtp://robot:${smtpPassword}@127.0.0.1:1`,
  REDIS_URL: `redis://robot:${redisPassword}@127.0.0.1:1`,
  RATE_LIMIT_PER_MINUTE: '100000',
};
learn('database password', decodeURIComponent(new URL(database.url).password));
learn('password', demoPassword);
learn('client secret', demoSyncSecret);

const server = await startServer(environment, port);
const orm = await connect(database.url, { poolSize: 2, entities });
const db = new Database(orm.em);
afterAll(async () => {
  globalThis.fetch = recorder.unheard;
  server.child.kill();
  await server.ended;
  await orm.close();
  await database.drop();
});

/** Sends without caring for the answer: the recorder does. */
const send = (path: string, init: RequestInit = {}) =>
  fetch(base + path, { redirect: 'manual', ...init });
const withToken = (token: string, init: RequestInit = {}) => ({
  ...init,
  headers: { authorization: `Bearer ${token}`, ...init.headers },
});

test('sign-in, codes, tokens and their ends', async () => {
  const sync = ThirdParty.sync(base);
  const browser = new Browser(base);
  const got = await sync.authorize(browser, climberEmail);
  learn('code', got.code);
  learn('code verifier', got.verifier);
  for (const change of [
    { code_verifier: learn('wrong verifier', 'w'.repeat(50)) },
    { redirect_uri: 'https://evil.example' },
  ])
    await sync.redeem(got, change);
  const { body } = await sync.redeem(await sync.authorize(browser, climberEmail));
  for (const kind of ['access_token', 'refresh_token']) learn(kind, body[kind]);
  const next = (await sync.refresh(body.refresh_token)).body;
  for (const kind of ['access_token', 'refresh_token', 'id_token'])
    learn(`second ${kind}`, next[kind]);
  await sync.refresh(body.refresh_token);
  await postForm(
    `${sync.issuer}/introspect`,
    { token: next.access_token },
    { authorization: basic('demo-sync', demoSyncSecret) },
  );
  await postForm(
    `${sync.issuer}/revoke`,
    { token: next.refresh_token },
    { authorization: basic('demo-sync', demoSyncSecret) },
  );
  const wrongSecret = learn('wrong client secret', 'lanyard_secret_wrong-Ht63');
  await postForm(`${sync.issuer}/token`, {
    grant_type: 'refresh_token',
    refresh_token: next.refresh_token,
    client_id: 'demo-sync',
    client_secret: wrongSecret,
  });
  await postForm(
    `${sync.issuer}/token`,
    { grant_type: 'authorization_code' },
    { authorization: basic('demo-sync', wrongSecret) },
  );
  await browser.get(`/auth/v1/oauth/logout?id_token_hint=${next.id_token}`);
});

test('tokens and secrets in all the wrong places', async () => {
  const reader = ThirdParty.reader(base);
  const { access_token: token, refresh_token: refresh } = await reader.signIn(managerEmail);
  learn('misplaced access token', token);
  learn('misplaced refresh token', refresh);
  const wrongPassword = learn('wrong password', 'wrong-horse-Zb94-battery');
  const misplaced = learn('misplaced client secret', `lanyard_secret_${'Xk8wQ2mZ'.repeat(4)}`);
  for (const secret of [
    token,
    refresh,
    misplaced,
    learn('passphrase', 'correct-horse-Zb94-battery-staple-very-long'),
  ]) {
    await send(`/v1/me?access_token=${secret}`);
    await send(`/v1/organizations/${secret}`, withToken(token));
    await send(`${skyline}/members/${secret}`, withToken(token));
    await send(`${skyline}/members?cursor=${secret}`, withToken(token));
    await send(`${skyline}/members?limit=${secret}`, withToken(token));
    await send(`/portal/sign-in?email=${climberEmail}&password=${secret}`);
    await send(`/portal/links/${secret}`);
    await send(`/${secret}`);
    await send(`/auth/v1/oauth/token?client_secret=${secret}`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'demo-sync' }),
    });
    await send(
      `/auth/v1/oauth/authorize?client_id=demo-reader&access_token=${secret}&response_type=${secret}`,
    );
    await send(`/auth/v1/oauth/${secret}`);
    await send('/v1/me', { headers: { authorization: `Basic ${secret}` } });
    await send('/v1/me', { headers: { authorization: secret } });
    await send('/v1/me', {
      headers: { cookie: `lanyard_session=${secret}; lanyard_oauth=${secret}` },
    });
    // The answer names an unknown property, as the contract says; the log must not.
    await recorder.unheard(
      `${base}/v1/certifications`,
      withToken(token, { method: 'POST', body: JSON.stringify({ [secret]: 1 }) }),
    );
    for (const body of [{ certification_type_id: secret, issued_on: secret }, secret]) {
      await send(
        '/v1/certifications',
        withToken(token, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      );
    }
    const graphql = (body: object) =>
      send(
        '/graphql',
        withToken(token, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      );
    await graphql({
      query: `query ($id: ID!) { organization(id: $id) { id } }`,
      variables: { id: secret },
    });
    await graphql({ query: '{ me { id } }', [secret]: true });
    await graphql({ query: '{ me { user { id } } }', operationName: secret });
    await send(
      '/v1/certifications',
      withToken(token, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', 'idempotency-key': secret.slice(0, 200) },
      }),
    );
  }
  const form = await new Browser(base).get('/portal/sign-in');
  await new Browser(base).submit(form, '/portal/sign-in', {
    email: climberEmail,
    password: wrongPassword,
  });
  const browser = new Browser(base);
  await browser.submit(await browser.get('/portal/sign-in'), '/portal/sign-in', {
    email: climberEmail,
    password: wrongPassword,
  });
});

test('links, new passwords, secrets of apps, passkeys', async () => {
  const config = readConfig(environment);
  const { url } = await createLink(db, config, nobody, userId(climberEmail), 'reset');
  learn('link', new URL(url).pathname.split('/').at(-1) ?? '');
  const browser = new Browser(base);
  const page = await browser.get(url);
  await browser.submit(page, new URL(url).pathname, {
    password: learn('refused password', 'climber-8x'),
    repeated: 'climber-8x',
  });
  const password = learn('new password', 'seven steel bolts 42');
  const home = await browser.submit(page, new URL(url).pathname, { password, repeated: password });
  expect(home.url.pathname).toBe('/portal');
  await new Browser(base).get(url);
  const account = await browser.get('/portal/account');
  await browser.submit(account, '/account/password', {
    current: learn('wrong current', 'not the old one 9'),
    password: 'x',
    repeated: 'y',
  });
  await browser.submit(account, '/account/passkeys', { name: 'Phone', credential: '{"id":"x"}' });
  await browser.submit(await browser.get('/portal/forgotten-password'), '/forgotten-password', {
    email: climberEmail,
  });

  const admin = new Browser(base);
  await admin.submit(await admin.get('/portal/sign-in'), '/portal/sign-in', {
    email: 'admin@skyline.example',
    password: demoPassword,
  });
  const made = await admin.get('/portal/apps/new');
  const shown = await admin.submit(made, '/portal/apps', {
    name: 'Walk',
    token_endpoint_auth_method: 'client_secret_basic',
    redirect_uris: 'https://walk.example/callback',
  });
  const secret = /lanyard_secret_[\w-]{43}/.exec(shown.html)?.[0];
  if (secret) learn('app secret', secret);
  await admin.get(shown.url);
});

test('an operator whose database, of whatever spelling, cannot be reached', async () => {
  const password = learn('operator database password', 'db-Yw57-password');
  const urls = [
    `postgres://lanyard:${password}@127.0.0.1:1/lanyard`,
    `postgres://lanyard:${password}@no-such-host.invalid/lanyard`,
    `postgres://nobody:${password}@${new URL(database.url).host}/lanyard`,
    `postgres://lanyard:${password}%zz@127.0.0.1/lanyard`,
    `postgres://lanyard:${password}@${new URL(database.url).host}/lanyard?sslmode=${password}`,
    `mysql://lanyard:${password}@127.0.0.1/lanyard`,
  ];
  const commands = [['serve'], ['migrate'], ['apps', 'list']];
  const tries = urls.map(async (url, index) => {
    const command = commands[index % commands.length] ?? [];
    const run = runLanyard(command, {
      DATABASE_URL: url,
      LOG_LEVEL: 'trace',
      PORT: String(await freePort()),
    });
    expect(await run.ended).not.toBe(0);
    recorder.never(
      `${command.join(' ')} with a wrong DATABASE_URL`,
      run.output.stdout + run.output.stderr,
    );
  });
  await Promise.all(tries);
  for (const args of [
    ['keys', 'rotate'],
    ['user', 'create', '--email', 'w@walk.example', '--name', 'W'],
    ['token', '--user', managerEmail, '--app', 'demo-reader'],
  ]) {
    const run = runLanyard(args, environment);
    expect([run.output.stderr, await run.ended]).toStrictEqual([run.output.stderr, 0]);
    recorder.never(`standard error of ${args.join(' ')}`, run.output.stderr);
    const printed = /links\/([\w-]+)|^(eyJ\S+)$/m.exec(run.output.stdout);
    if (printed) learn(`printed by ${args[0]}`, printed[1] ?? printed[2] ?? '');
  }
});

test('a database that fails in the middle of requests', async () => {
  await db.query('alter table web_sessions rename to web_sessions_away');
  const browser = new Browser(base);
  await browser.get('/portal/sign-in');
  await db.query('alter table web_sessions_away rename to web_sessions');
  await db.query(
    'alter table users add constraint walk check (length(password_hash) < 10) not valid',
  );
  const { url } = await createLink(
    db,
    readConfig(environment),
    nobody,
    userId(climberEmail),
    'reset',
  );
  learn('link of a failure', new URL(url).pathname.split('/').at(-1) ?? '');
  const password = learn('password of a failure', 'eight steel bolts 42');
  const failed = await browser.submit(await browser.get(url), new URL(url).pathname, {
    password,
    repeated: password,
  });
  expect(failed.status).toBe(500);
  await db.query('alter table users drop constraint walk');
});

test('nothing of it is anywhere that it should not be', async () => {
  // Lines go out together: the last ones as the server ends.
  server.child.kill();
  expect(await server.ended).toBe(0);
  const keys = new KeyRing(db, readConfig(environment));
  await keys.reload();
  for (const { privateJwk, purpose } of keys.all())
    learn(`private key ${purpose}`, privateJwk.d ?? '');
  for (const [index, key] of keys.cookieKeys().entries()) learn(`cookie key ${index}`, key);
  const tables = await db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'signing_keys'`,
  );
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>(`select t::text as row from ${name} t`);
    recorder.never(`the table ${name}`, rows.map(({ row }) => row).join('\n'));
  }
  recorder.never('the log', server.output.stdout);
  recorder.never('standard error', server.output.stderr);
  console.info(
    `${recorder.learnt.length} secrets, ${recorder.responses} responses, ${server.output.stdout.split('\n').length} lines of log, ${tables.length} tables`,
  );
  expect(server.output.stdout).toContain('"path":"/v1/certifications"');
  expect(server.output.stdout).toContain('a one-time link could not be mailed');
  expect(server.output.stdout).toContain('unexpected error');
  expect(recorder.leaks()).toEqual([]);
});
