import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { findApp } from '../../src/auth/apps/registry.js';
import { findLink } from '../../src/auth/people/links.js';
import { demoId } from '../../src/database/demo/ids.js';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';
import { callLanyard } from '../support/command.js';
import { freePort, runLanyard } from '../support/server.js';

const app = await startApp();
const { db } = app;

const environment = { NODE_ENV: 'production', DATABASE_URL: app.url, BASE_URL: 'https://lanyard.example' };

/** Calls `lanyard` on the database of the test. */
async function lanyard(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await callLanyard(args, environment);
  return { code, out: stdout, err: stderr };
}

/** The link that a command printed, as the portal finds it. */
const linkIn = (text: string) => findLink(db, /https:\/\/lanyard\.example\/portal\/links\/([\w-]+)/.exec(text)?.[1] ?? '');

describe('lanyard', () => {
  /** In a process of its own. */
  async function ended(...args: string[]) {
    const { ended, output } = runLanyard(args, environment);
    return { code: await ended, ...output };
  }

  it('explains itself with 0, and ends with 2 when called wrongly', async () => {
    const { code, stdout, stderr } = await ended('apps', '--help');
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Usage: lanyard apps …/);
    assert.deepEqual(await ended('apps'), { code: 2, stdout: '', stderr: stdout });
  });

  it('answers with 0, as it does in the process of a test', async () => {
    const { code, stdout, stderr } = await ended('apps', 'list');
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(await lanyard('apps', 'list'), { code: 0, out: stdout, err: '' });
  });

  it('says in JSON what failed, when asked for JSON', async () => {
    const { code, stdout, stderr: err } = await ended('apps', 'show', 'nothing', '--json');
    assert.deepEqual([code, stdout], [1, '']);
    assert.deepEqual(JSON.parse(err), {
      error: { code: 'not_found', message: 'There is no app nothing: “lanyard apps list” shows them all.' },
    });
  });

  it('says in a sentence that the database cannot be reached', async () => {
    const run = runLanyard(['org', 'list'], { DATABASE_URL: `postgresql://x:y@127.0.0.1:${await freePort()}/z` });
    assert.equal(await run.ended, 1);
    assert.match(run.output.stderr, /^PostgreSQL can't be used just now: .*ECONNREFUSED.*\. “lanyard doctor” says what is wrong\.\n$/);
  });

  it('is silent when the reader of its list goes away', async () => {
    const script = `"${process.execPath}" "${join(packageRoot, 'dist/src/main.js')}" user list | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], {
      env: { PATH: process.env.PATH, DATABASE_URL: app.url },
    });
    assert.deepEqual([stdout, stderr], ['0\n', '']);
  });
});

describe('lanyard org create', () => {
  it('creates an organization whose first admin gets a link', async () => {
    const { code, out } = await lanyard('org', 'create', '--name', 'North Ridge Wireless', '--admin', 'ada@northridge.example');
    assert.equal(code, 0);
    const link = await linkIn(out);
    assert.deepEqual([link?.email, link?.purpose], ['ada@northridge.example', 'invitation']);
    const [organization] = await db.query<object>(
      `select o.slug, o.updated_at < m.updated_at as "isOlder", c.ticked_at = m.updated_at as "isTicked", m.role, m.status, m.is_primary as "isPrimary"
       from organizations o join organization_members m on m.organization_id = o.id join organization_clocks c on c.organization_id = o.id
       where o.name = 'North Ridge Wireless'`,
    );
    assert.deepEqual(organization, {
      slug: 'north-ridge-wireless',
      isOlder: true,
      isTicked: true,
      role: 'admin',
      status: 'invited',
      isPrimary: true,
    });
  });

  it('makes a known user an admin at once, without a link, and without moving their primary membership', async () => {
    const { out } = await lanyard('org', 'create', '--name', 'Second', '--slug', 'second-one', '--admin', 'Manager@skyline.example');
    assert.doesNotMatch(out, /link/);
    const { body } = await app.rest('GET', '/v1/me', { token: await app.token('manager@skyline.example') });
    assert.deepEqual(
      body.data.organizations.map(({ slug, role, is_primary }: { slug: string; role: string; is_primary: boolean }) => [
        slug,
        role,
        is_primary,
      ]),
      [
        ['skyline-towers', 'manager', true],
        ['second-one', 'admin', false],
      ],
    );
  });

  for (const [what, args, message] of [
    ['a slug that is taken', ['--name', 'Skyline', '--slug', 'skyline-towers', '--admin', 'a@b.example'], /skyline-towers.*--slug/],
    ['a name that makes no slug', ['--name', '塔', '--admin', 'a@b.example'], /--slug/],
    ['what is no e-mail address', ['--name', 'Third', '--admin', 'ada'], /not an e-mail address/],
  ] as const) {
    it(`refuses ${what} with 1, and creates nothing`, async () => {
      const count = async () => (await db.query('select from organizations')).length;
      const before = await count();
      const { code, err } = await lanyard('org', 'create', ...args);
      assert.equal(code, 1);
      assert.match(err, message);
      assert.doesNotMatch(err, / at /);
      assert.equal(await count(), before);
    });
  }
});

describe('lanyard user', () => {
  it('create gives a link for the first password, once an address', async () => {
    const { out } = await lanyard('user', 'create', '--email', 'dev@vendor.example', '--name', 'Dev Vendor');
    assert.deepEqual((await linkIn(out))?.displayName, 'Dev Vendor');
    const again = await lanyard('user', 'create', '--email', 'DEV@vendor.example', '--name', 'Dev Vendor');
    assert.deepEqual([again.code, again.err], [1, 'There is already a user DEV@vendor.example.\n']);
  });

  it('reset-password gives a link for a new password', async () => {
    const { out } = await lanyard('user', 'reset-password', 'climber@skyline.example');
    assert.deepEqual([(await linkIn(out))?.email, (await linkIn(out))?.purpose], ['climber@skyline.example', 'reset']);
    assert.equal((await lanyard('user', 'reset-password', 'nobody@skyline.example')).code, 1);
  });

  it('disable refuses tokens and ends sessions; enable lets in again, but the sessions stay ended', async () => {
    const email = 'both@skyline.example';
    const token = await app.token(email);
    await db.query(
      `insert into web_sessions (id, secret_hash, user_id, signed_in_by, user_agent, address) values ($1, 'x', $1, 'password', '', '')`,
      [demoId('user', email)],
    );
    const status = async () => (await app.rest('GET', '/v1/me', { token })).status;
    assert.equal(await status(), 200);
    assert.match((await lanyard('user', 'disable', 'Both@skyline.example')).out, /is disabled/);
    assert.equal(await status(), 401);
    assert.match(
      (await lanyard('user', 'list', '--organization', 'harbor-fiber')).out,
      /^both@skyline\.example +Priya Raman +disabled +harbor-fiber/m,
    );
    await lanyard('user', 'enable', email);
    assert.equal(await status(), 200);
    assert.deepEqual(await db.query('select id from web_sessions where user_id = $1', [demoId('user', email)]), []);
    const { code, err } = await lanyard('user', 'disable', 'nobody@skyline.example');
    assert.deepEqual([code, err], [1, 'There is no user nobody@skyline.example: “lanyard user list” shows them all.\n']);
  });

  it('list shows the members of one organization alone, and refuses one that there is not', async () => {
    const { out } = await lanyard('user', 'list', '--organization', 'harbor-fiber', '--json');
    const { users } = JSON.parse(out) as { users: { email: string; organizations: string[]; can_sign_in: boolean }[] };
    assert.equal(users.length, 25);
    assert.deepEqual(users.find(({ email }) => email === 'both@skyline.example')?.organizations, ['harbor-fiber', 'skyline-towers']);
    assert.equal(users.find(({ email }) => email === 'peter.vanderwal@harbor.example')?.can_sign_in, false);
    assert.equal((await lanyard('user', 'list', '--organization', 'nowhere')).code, 1);
  });
});

describe('lanyard apps', () => {
  it('list shows each app in a line', async () => {
    const { out } = await lanyard('apps', 'list');
    assert.match(out, /^CLIENT_ID +NAME +STATUS +OWNER +GRANTS\n/);
    assert.match(out, /^demo-dashboard +Demo Dashboard +active, first-party +operator +\d+$/m);
    assert.match(out, /^demo-sync +Demo Sync +active +admin@skyline\.example +0$/m);
  });

  it('disable and enable hold at the next request', async () => {
    const token = await app.token('manager@skyline.example', 'demo-reader');
    const status = async () => (await app.rest('GET', '/v1/me', { token })).status;
    assert.match((await lanyard('apps', 'disable', 'demo-reader')).out, /Demo Reader \(demo-reader\) is disabled/);
    assert.equal(await status(), 401);
    await lanyard('apps', 'enable', 'demo-reader');
    assert.equal(await status(), 200);
  });

  it('first-party lifts the need for approval, and --off puts it back', async () => {
    const token = await app.token('admin@harbor.example', 'demo-reader');
    const status = async () => (await app.rest('GET', `/v1/organizations/${demoId('organization', 'harbor-fiber')}`, { token })).status;
    assert.equal(await status(), 403);
    await lanyard('apps', 'first-party', 'demo-reader');
    assert.equal(await status(), 200);
    await lanyard('apps', 'first-party', 'demo-reader', '--off');
    assert.equal(await status(), 403);
    assert.equal((await findApp(db, 'demo-reader'))?.isFirstParty, false);
  });

  it('answers 1 for an app that there is not', async () => {
    const { code, err } = await lanyard('apps', 'disable', 'nothing');
    assert.deepEqual([code, err], [1, 'There is no app nothing: “lanyard apps list” shows them all.\n']);
  });
});

describe('lanyard purge', () => {
  it('deletes what has expired, and says how much', async () => {
    const grant = (id: string, days: number) =>
      db.query(`insert into grants (id, app_id, user_id, expires_at) values ($1, $2, $3, now() + $4 * interval '1 day')`, [
        id,
        demoId('app', 'demo-sync'),
        demoId('user', 'climber@skyline.example'),
        days,
      ]);
    await grant('expired', -1);
    await grant('alive', 1);
    await db.query(`update app_secrets set expires_at = now() - interval '1 day'`);
    assert.match((await lanyard('purge')).out, / {2}grants: 1\n[\s\S]* {2}app_secrets: 1\n/);
    assert.deepEqual(await db.query(`select id from grants where id in ('expired', 'alive')`), [{ id: 'alive' }]);
  });
});

describe('lanyard dashboard enable', () => {
  it('registers the app of the dashboard for the address of the server, once', async () => {
    const first = await lanyard('dashboard', 'enable');
    assert.deepEqual([first.code, first.err], [0, '']);
    assert.match(first.out, /^The dashboard is enabled: https:\/\/lanyard\.example\/dashboard, as the app lanyard-dashboard\.$/m);
    assert.match((await lanyard('dashboard', 'enable')).out, /^The dashboard was already enabled/m);
    const found = await findApp(db, 'lanyard-dashboard');
    assert.deepEqual(
      [found?.redirectUris, found?.isFirstParty, found?.tokenEndpointAuthMethod, found?.ownerId],
      [['https://lanyard.example/dashboard'], true, 'none', null],
    );
    const events = await db.query<object>(`select action, user_id as "userId" from audit_events where subject_id = $1`, [found?.id]);
    assert.deepEqual(events, [{ action: 'create', userId: null }]);
  });
});
