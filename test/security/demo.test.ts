/**
 * Demo data, whose password everybody can read, stays where only its owner is: in development, on
 * one machine.
 */
import { decodeJwt } from 'jose';
import pg from 'pg';
import { hashPassword } from '../../src/auth/password.js';
import { diagnose } from '../../src/cli/doctor/command.js';
import { demoPassword } from '../../src/demo/people.js';
import { callLanyard } from '../support/command.js';
import { createDatabase, removeDemo } from '../support/database.js';

const production = {
  NODE_ENV: 'production',
  BASE_URL: 'https://lanyard.example',
  TRUST_PROXY: 'true',
};

/** A database, and a connection to it. */
async function database(template?: string) {
  const { url, drop } = await createDatabase(template);
  const client = new pg.Client(url).on('error', () => {});
  await client.connect();
  afterAll(async () => {
    await client.end();
    await drop();
  });
  const count = async (from: string): Promise<number> =>
    (await client.query(`select count(*)::int as count from ${from}`)).rows[0].count;
  return { url, client, count };
}

const [forDemo, forTokens, forDoctor] = [await database(), await database(), await database()];

describe('lanyard demo', () => {
  const { url, client, count } = forDemo;
  beforeAll(() => removeDemo(client));

  it('refuses in production, and loads nothing', async () => {
    const { code, stderr } = await callLanyard(['demo'], { ...production, DATABASE_URL: url });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^The demo data has people whose password is public, and NODE_ENV is production\. .* --force\.\n$/,
    );
    expect(await count('users')).toBe(0);
  });

  it('refuses beside other organizations, also when the demo data is there; --force is an answer', async () => {
    const environment = { DATABASE_URL: url };
    await callLanyard(
      ['org', 'create', '--name', 'Ridge', '--admin', 'ada@ridge.example'],
      environment,
    );
    const refused = await callLanyard(['demo'], environment);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/this database has other organizations/);
    expect(await count('users')).toBe(0);
    expect((await callLanyard(['demo', '--force'], environment)).code).toBe(0);
    expect(await count('users')).toBeGreaterThan(50);
    expect((await callLanyard(['demo', '--scale', '2'], environment)).code).toBe(1);
  });
});

describe('lanyard token', () => {
  const { url, count } = forTokens;
  const call = (environment: Record<string, string>, ...flags: string[]) =>
    callLanyard(['token', '--user', 'manager@skyline.example', '--app', 'demo-reader', ...flags], {
      DATABASE_URL: url,
      ...environment,
    });

  for (const [what, environment] of [
    ['in production', { ...production, BASE_URL: 'http://localhost:4000' }],
    ['for the address of a server that others reach', { BASE_URL: 'https://lanyard.example' }],
  ] as const)
    it(`refuses ${what}, and leaves no grant`, async () => {
      const { code, stdout, stderr } = await call(environment);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^The token command is for development, and .* --force/);
      expect(await count('grants')).toBe(0);
    });

  it('leaves an event that says when, for whom and for which app, wherever it prints one', async () => {
    const events = `audit_events e join users u on u.id::text = e.subject_id join apps a on a.id = e.app_id
      where e.action = 'issue_token' and u.email = 'manager@skyline.example' and a.client_id = 'demo-reader' and e.user_id is null`;
    expect((await call({})).code).toBe(0);
    expect(await count(events)).toBe(1);
    const forced = await call(production, '--force');
    expect(forced.code).toBe(0);
    expect(forced.stdout).toMatch(/^ey/);
    expect(await count(events)).toBe(2);
  });

  it('has identity scopes alone, and refuses any other', async () => {
    const before = await count('grants');
    for (const scope of ['organizations:write bogus', 'openid bogus', 'openid,email']) {
      const { code, stdout, stderr } = await call({}, '--scope', scope);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^--scope takes openid, profile, email, and not /);
    }
    expect(await count('grants')).toBe(before);
    const { stdout } = await call({}, '--scope', 'email  openid');
    expect(decodeJwt(stdout.trim()).scope).toBe('openid email');
  });
});

describe('lanyard doctor', () => {
  const { url, client } = forDoctor;
  const found = async (environment: Record<string, string> = production) =>
    (await diagnose({ ...environment, DATABASE_URL: url })).checks
      .filter(({ check }) => check === 'demo data')
      .map(({ level, found: text }) => `${level} ${text}`);

  it('takes demo people for what they are in development, and for failures where others reach them', async () => {
    expect((await found({})).join()).toMatch(/^ok \d\d demo people, for this machine alone$/);
    for (const environment of [production, { HOST: '0.0.0.0', DEMO_DATA: 'public' }]) {
      const [people = '', apps = '', passwords = ''] = await found(environment);
      expect(people).toMatch(/^failure \d\d demo people/);
      expect(apps).toMatch(
        /^failure the demo apps demo-dashboard, demo-pending, demo-reader, demo-sync are active/,
      );
      expect(passwords).toMatch(/^failure the public demo password opens \d+ accounts/);
    }
  });

  it('finds the public password whatever the address, and nothing once it is gone', async () => {
    await removeDemo(client);
    expect(await found()).toEqual(['ok no demo people, apps or passwords']);
    const insert = (email: string, hash: string) =>
      client.query(
        `insert into users (id, email, display_name, password_hash) values (gen_random_uuid(), $1, 'Ada', $2)`,
        [email, hash],
      );
    await insert('ben@ridge.test', await hashPassword('another one 4711'));
    await insert('ada@ridge.test', await hashPassword(demoPassword));
    expect(await found()).toEqual([
      'failure the public demo password opens 1 accounts: ada@ridge.test',
    ]);
    await client.query(`update users set status = 'disabled' where email = 'ada@ridge.test'`);
    expect(await found()).toEqual(['ok no demo people, apps or passwords']);
  });
});
