import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findInvitation } from '../../src/auth/accounts/invitations.js';
import { findLink } from '../../src/auth/accounts/links.js';
import { findApp } from '../../src/auth/apps/registry.js';
import { demoId } from '../../src/demo/ids.js';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';
import { callLanyard } from '../support/command.js';
import { ensure } from '../support/expect.js';
import { freePort, runLanyard } from '../support/server.js';

const app = await startApp();
const { db } = app;

const environment = {
  NODE_ENV: 'production',
  DATABASE_URL: app.url,
  BASE_URL: 'https://lanyard.example',
};

/** Calls `lanyard` on the database of the test. */
async function lanyard(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const { code, stdout, stderr } = await callLanyard(args, environment);
  return { code, out: stdout, err: stderr };
}

/** The link that a command printed, as the portal finds it. */
const linkIn = (text: string) =>
  findLink(db, /https:\/\/lanyard\.example\/portal\/links\/([\w-]+)/.exec(text)?.[1] ?? '');

describe('lanyard', () => {
  /** In a process of its own. */
  async function ended(...args: string[]) {
    const { ended, output } = runLanyard(args, environment);
    return { code: await ended, ...output };
  }

  it('explains itself with 0, and ends with 2 when called wrongly', async () => {
    const { code, stdout, stderr } = await ended('apps', '--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: lanyard apps …/);
    expect(await ended('apps')).toStrictEqual({ code: 2, stdout: '', stderr: stdout });
  });

  it('answers with 0, as it does in the process of a test', async () => {
    const { code, stdout, stderr } = await ended('apps', 'list');
    expect([code, stderr]).toEqual([0, '']);
    expect(await lanyard('apps', 'list')).toStrictEqual({ code: 0, out: stdout, err: '' });
  });

  it('says in JSON what failed, when asked for JSON', async () => {
    const { code, stdout, stderr: err } = await ended('apps', 'show', 'nothing', '--json');
    expect([code, stdout]).toEqual([1, '']);
    expect(JSON.parse(err)).toStrictEqual({
      error: {
        code: 'not_found',
        message: 'There is no app nothing: “lanyard apps list” shows them all.',
      },
    });
  });

  it('says in a sentence that the database cannot be reached', async () => {
    const run = runLanyard(['org', 'list'], {
      DATABASE_URL: `postgresql://x:y@127.0.0.1:${await freePort()}/z`,
    });
    expect(await run.ended).toBe(1);
    expect(run.output.stderr).toMatch(
      /^PostgreSQL is not available: .*ECONNREFUSED.*\. “lanyard doctor” says what is wrong\.\n$/,
    );
  });

  it('is silent when the reader of its list goes away', async () => {
    const script = `"${process.execPath}" "${join(packageRoot, 'dist/src/main.js')}" user list | true; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], {
      env: { PATH: process.env.PATH, DATABASE_URL: app.url },
    });
    expect([stdout, stderr]).toEqual(['0\n', '']);
  });
});

describe('lanyard org create', () => {
  it('creates an organization whose first admin gets a link', async () => {
    const { code, out } = await lanyard(
      'org',
      'create',
      '--name',
      'North Ridge Wireless',
      '--admin',
      'ada@northridge.example',
    );
    expect(code).toBe(0);
    const invitation = await findInvitation(db, /invitations\/([\w-]+)/.exec(out)?.[1] ?? '');
    expect([invitation?.email, invitation?.role, invitation?.isProof]).toEqual([
      'ada@northridge.example',
      'admin',
      true,
    ]);
    const [organization] = await db.query<object>(
      `select o.slug, o.updated_at < m.updated_at as "isOlder", e.occurred_at = m.updated_at as "isTicked", m.role, m.status, m.is_primary as "isPrimary"
       from organizations o join organization_members m on m.organization_id = o.id join audit_events e on e.organization_id = o.id and e.subject_id = m.id::text and e.subject_type = 'OrganizationMember'
       where o.name = 'North Ridge Wireless'`,
    );
    expect(organization).toStrictEqual({
      slug: 'north-ridge-wireless',
      isOlder: true,
      isTicked: true,
      role: 'admin',
      status: 'invited',
      isPrimary: false,
    });
  });

  it('invites a known user as the admin, who accepts first', async () => {
    const { out } = await lanyard(
      'org',
      'create',
      '--name',
      'Second',
      '--slug',
      'second-one',
      '--admin',
      'Manager@skyline.example',
    );
    expect(out).toMatch(/who accepts with/);
    const { body } = await app.rest('GET', '/v1/me', {
      token: await app.token('manager@skyline.example'),
    });
    expect(body.data.organizations.map(({ slug }: { slug: string }) => slug)).toEqual([
      'skyline-towers',
    ]);
  });

  for (const [what, args, message] of [
    [
      'a slug that is taken',
      ['--name', 'Skyline', '--slug', 'skyline-towers', '--admin', 'a@b.example'],
      /skyline-towers.*--slug/,
    ],
    ['a name that makes no slug', ['--name', '塔', '--admin', 'a@b.example'], /--slug/],
    [
      'what is no e-mail address',
      ['--name', 'Third', '--admin', 'ada'],
      /--admin must be an e-mail address/,
    ],
    [
      'a name with bidirectional controls',
      ['--name', 'Th\u202eird', '--admin', 'a@b.example'],
      /--name must not contain bidirectional controls/,
    ],
    [
      'a name of two lines',
      ['--name', 'Th\nird', '--admin', 'a@b.example'],
      /--name must not contain control characters or line breaks/,
    ],
  ] as const) {
    it(`refuses ${what} with 1, and creates nothing`, async () => {
      const count = async () => (await db.query('select from organizations')).length;
      const before = await count();
      const { code, err } = await lanyard('org', 'create', ...args);
      expect(code).toBe(1);
      expect(err).toMatch(message);
      expect(err).not.toMatch(/ at /);
      expect(await count()).toBe(before);
    });
  }
});

describe('lanyard org invite', () => {
  const secretIn = (out: string): string => /invitations\/([\w-]+)/.exec(out)?.[1] ?? '';

  it('replaces the lost link of the first admin, which user reset-password and user verify name', async () => {
    const { out: first } = await lanyard(
      'org',
      'create',
      '--name',
      'Lost',
      '--admin',
      'ada@lost.example',
    );
    for (const command of ['reset-password', 'verify']) {
      const { code, err } = await lanyard('user', command, 'Ada@lost.example');
      expect(code).toBe(1);
      expect(err).toBe(
        'Ada@lost.example was invited by lost, and has not accepted: there is no account yet. “lanyard org invite lost --email Ada@lost.example” prints a new link.\n',
      );
    }
    const { code, out } = await lanyard('org', 'invite', 'lost', '--email', 'Ada@lost.example');
    expect(code).toBe(0);
    expect(out).toMatch(/^Give this link only to ada@lost\.example, who accepts with/);
    const invitation = await findInvitation(db, secretIn(out));
    expect([invitation?.email, invitation?.role, invitation?.isProof]).toEqual([
      'ada@lost.example',
      'admin',
      true,
    ]);
    expect(await findInvitation(db, secretIn(first))).toBeUndefined();
  });

  for (const [what, args, message] of [
    [
      'an organization that there is not',
      ['nowhere', '--email', 'ada@lost.example'],
      /no organization nowhere/,
    ],
    [
      'an address that is no member',
      ['skyline-towers', '--email', 'ada@lost.example'],
      /has no member ada@lost\.example\. Add the member/,
    ],
    [
      'a member who has accepted',
      ['skyline-towers', '--email', 'manager@skyline.example'],
      /manager@skyline\.example is not invited by skyline-towers: the membership is active/,
    ],
    [
      'what is no e-mail address',
      ['skyline-towers', '--email', 'ada'],
      /--email must be an e-mail address/,
    ],
  ] as const) {
    it(`refuses ${what} with 1, and makes no link`, async () => {
      const rows = async () => db.query('select * from invitations order by 1, 2');
      const before = await rows();
      const { code, err } = await lanyard('org', 'invite', ...args);
      expect(code).toBe(1);
      expect(err).toMatch(message);
      expect(await rows()).toStrictEqual(before);
    });
  }
});

describe('lanyard user', () => {
  it('verify proves an address, which any other account loses', async () => {
    await db.query(
      `insert into users (id, email, address, display_name, managed_by) values (gen_random_uuid(), $1, $2, 'Vera', $3)`,
      [
        'skyline-towers/vera@skyline.example',
        'vera@skyline.example',
        demoId('organization', 'skyline-towers'),
      ],
    );
    const { out } = await lanyard('user', 'verify', 'vera@skyline.example');
    expect(out).toMatch(/vera@skyline.example is proven/);
    const rows = await db.query(
      `select email, address, managed_by, email_proven_at is not null as proven from users where display_name = 'Vera'`,
    );
    expect(rows).toStrictEqual([
      { email: 'vera@skyline.example', address: null, managed_by: null, proven: true },
    ]);
    await db.query(
      `insert into users (id, email, address, display_name) values (gen_random_uuid(), 'x/vera@skyline.example', $1, 'Other')`,
      ['vera@skyline.example'],
    );
    const taken = await lanyard('user', 'verify', 'x/vera@skyline.example');
    expect([taken.code, taken.err]).toEqual([
      1,
      'Another account has proven vera@skyline.example.\n',
    ]);
  });

  it('create gives a link for the first password, once an address', async () => {
    const { out } = await lanyard(
      'user',
      'create',
      '--email',
      'dev@vendor.example',
      '--name',
      'Dev Vendor',
    );
    expect((await linkIn(out))?.displayName).toEqual('Dev Vendor');
    const again = await lanyard(
      'user',
      'create',
      '--email',
      'DEV@vendor.example',
      '--name',
      'Dev Vendor',
    );
    expect([again.code, again.err]).toEqual([1, 'There is already a user DEV@vendor.example.\n']);
  });

  it('reset-password gives a link for a new password', async () => {
    const { out } = await lanyard('user', 'reset-password', 'climber@skyline.example');
    expect([(await linkIn(out))?.email, (await linkIn(out))?.purpose]).toEqual([
      'climber@skyline.example',
      'reset',
    ]);
    expect((await lanyard('user', 'reset-password', 'nobody@skyline.example')).code).toBe(1);
  });

  it('disable refuses tokens and ends sessions; enable lets in again, but the sessions stay ended', async () => {
    const email = 'both@skyline.example';
    const token = await app.token(email);
    await db.query(
      `insert into web_sessions (id, secret_hash, user_id, signed_in_by, user_agent, address) values ($1, 'x', $1, 'password', '', '')`,
      [demoId('user', email)],
    );
    const status = async () => (await app.rest('GET', '/v1/me', { token })).status;
    expect(await status()).toBe(200);
    expect((await lanyard('user', 'disable', 'Both@skyline.example')).out).toMatch(/is disabled/);
    expect(await status()).toBe(401);
    expect((await lanyard('user', 'list', '--organization', 'harbor-fiber')).out).toMatch(
      /^both@skyline\.example +Priya Raman +disabled +harbor-fiber/m,
    );
    await lanyard('user', 'enable', email);
    expect(await status()).toBe(200);
    expect(
      await db.query('select id from web_sessions where user_id = $1', [demoId('user', email)]),
    ).toEqual([]);
    const { code, err } = await lanyard('user', 'disable', 'nobody@skyline.example');
    expect([code, err]).toEqual([
      1,
      'There is no user nobody@skyline.example: “lanyard user list” shows them all.\n',
    ]);
  });

  it('list shows the members of one organization alone, and refuses one that there is not', async () => {
    const { out } = await lanyard('user', 'list', '--organization', 'harbor-fiber', '--json');
    const { users } = JSON.parse(out) as {
      users: { email: string; organizations: string[]; can_sign_in: boolean }[];
    };
    expect(users).toHaveLength(23);
    expect(users.find(({ email }) => email === 'both@skyline.example')?.organizations).toEqual([
      'harbor-fiber',
      'skyline-towers',
    ]);
    // Who is invited is no user yet.
    expect(users.find(({ email }) => email === 'peter.vanderwal@harbor.example')).toBeUndefined();
    expect((await lanyard('user', 'list', '--organization', 'nowhere')).code).toBe(1);
  });
});

describe('lanyard apps', () => {
  it('list shows each app in a line', async () => {
    const { out } = await lanyard('apps', 'list');
    expect(out).toMatch(/^CLIENT_ID +NAME +STATUS +OWNER +GRANTS\n/);
    expect(out).toMatch(/^demo-dashboard +Demo Dashboard +active, first-party +operator +\d+$/m);
    expect(out).toMatch(/^demo-sync +Demo Sync +active +admin@skyline\.example +0$/m);
  });

  it('disable and enable hold at the next request', async () => {
    const token = await app.token('manager@skyline.example', 'demo-reader');
    const status = async () => (await app.rest('GET', '/v1/me', { token })).status;
    expect((await lanyard('apps', 'disable', 'demo-reader')).out).toMatch(
      /Demo Reader \(demo-reader\) is disabled/,
    );
    expect(await status()).toBe(401);
    await lanyard('apps', 'enable', 'demo-reader');
    expect(await status()).toBe(200);
  });

  it('first-party lifts the need for approval, and --off puts it back', async () => {
    const token = await app.token('admin@harbor.example', 'demo-reader');
    const status = async () =>
      (
        await app.rest('GET', `/v1/organizations/${demoId('organization', 'harbor-fiber')}`, {
          token,
        })
      ).status;
    expect(await status()).toBe(403);
    await lanyard('apps', 'first-party', 'demo-reader');
    expect(await status()).toBe(200);
    await lanyard('apps', 'first-party', 'demo-reader', '--off');
    expect(await status()).toBe(403);
    expect((await findApp(db, 'demo-reader'))?.isFirstParty).toBe(false);
  });

  it('answers 1 for an app that there is not', async () => {
    const { code, err } = await lanyard('apps', 'disable', 'nothing');
    expect([code, err]).toEqual([
      1,
      'There is no app nothing: “lanyard apps list” shows them all.\n',
    ]);
  });
});

describe('lanyard purge', () => {
  it('deletes what has expired, and says how much', async () => {
    const grant = (id: string, days: number) =>
      db.query(
        `insert into grants (id, app_id, user_id, expires_at) values ($1, $2, $3, now() + $4 * interval '1 day')`,
        [id, demoId('app', 'demo-sync'), demoId('user', 'climber@skyline.example'), days],
      );
    await grant('expired', -1);
    await grant('alive', 1);
    await db.query(`update app_secrets set expires_at = now() - interval '1 day'`);
    expect((await lanyard('purge')).out).toMatch(/ {2}grants: 1\n[\s\S]* {2}app_secrets: 1\n/);
    expect(await db.query(`select id from grants where id in ('expired', 'alive')`)).toStrictEqual([
      { id: 'alive' },
    ]);
  });
});

for (const [command, name] of [
  ['dashboard', 'The dashboard'],
  ['graphiql', 'GraphiQL'],
] as const) {
  describe(`lanyard ${command} enable`, () => {
    it('registers the app of the page for the address of the server, once', async () => {
      const first = await lanyard(command, 'enable');
      expect([first.code, first.err]).toEqual([0, '']);
      const url = `https://lanyard.example/${command}`;
      ensure(
        first.out.startsWith(`${name} is enabled: ${url}, as the app lanyard-${command}.\n`),
        first.out,
      );
      expect((await lanyard(command, 'enable')).out.startsWith(`${name} was already enabled`)).toBe(
        true,
      );
      const found = await findApp(db, `lanyard-${command}`);
      expect([
        found?.redirectUris,
        found?.isFirstParty,
        found?.tokenEndpointAuthMethod,
        found?.ownerId,
      ]).toStrictEqual([[url], true, 'none', null]);
      const events = await db.query<object>(
        `select action, user_id as "userId" from audit_events where subject_id = $1`,
        [found?.id],
      );
      expect(events).toStrictEqual([{ action: 'create', userId: null }]);
    });
  });
}
