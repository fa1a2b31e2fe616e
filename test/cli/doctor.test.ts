/** `lanyard doctor` on a PostgreSQL where one thing after the other is broken. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { diagnose } from '../../src/cli/doctor/command.js';
import { startCluster } from '../faults/cluster.js';
import { callLanyard } from '../support/command.js';
import { removeDemo } from '../support/database.js';
import { ensure } from '../support/expect.js';
import { isInstalled } from '../support/installed.js';
import { freePort } from '../support/server.js';
import { untilEnd } from '../support/until-end.js';
import { brokenStates } from './broken-states.js';
import { problemsOf, remediesOf, runDoctor } from './diagnose.js';

/** With PostgreSQL's own settings: those of other tests are none to be well with. */
const cluster = untilEnd(await startCluster({ settings: {} }));
const admin = new pg.Client(cluster.url).on('error', () => {});
const password = 'pa%s/word';
const secret = randomBytes(32).toString('base64');
const emptyFolder = mkdtempSync(join(tmpdir(), 'lanyard-doctor-'));
const closedPort = await freePort();
const urlWith = (change: Partial<URL>): string =>
  Object.assign(new URL(cluster.url), {
    username: 'lanyard_app',
    password: encodeURIComponent(password),
    ...change,
  }).href;

const healthy: Readonly<Record<string, string>> = {
  NODE_ENV: 'production',
  BASE_URL: 'https://lanyard.example',
  TRUST_PROXY: 'true',
  DATABASE_URL: urlWith({}),
  KEY_ENCRYPTION_SECRET: secret,
  DATA_DIR: emptyFolder,
};

beforeAll(async () => {
  await admin.connect();
  await removeDemo(admin);
  await callLanyard(['org', 'create', '--name', 'Ridge', '--admin', 'ada@ridge.example'], {
    DATABASE_URL: cluster.url,
  });
  await admin.query(`create role lanyard_app login password '${password}'`);
  await admin.query(
    'grant all on all tables in schema public to lanyard_app; grant all on schema public to lanyard_app',
  );
  await callLanyard(['keys', 'rotate'], healthy);
  await admin.query('create schema saved; create table saved.keys as select * from signing_keys');
});
afterAll(async () => {
  await admin.end();
  rmSync(emptyFolder, { recursive: true });
});

describe('lanyard doctor', () => {
  it('ends with 0 when all is well, and says so of each part', async () => {
    const { code, status, checks } = await runDoctor(healthy);
    expect([code, status, problemsOf({ status, checks })]).toEqual([0, 'ok', []]);
    const names = [
      ...[
        'configuration',
        'database',
        'rights',
        'settings',
        'clock',
        'migrations',
        'stamps',
        'signing keys',
        'demo data',
        'standby',
      ],
      'pooler',
    ];
    expect(checks.map(({ check }) => check)).toStrictEqual([
      ...names,
      'listener',
      'Redis',
      'mail',
      'disk',
    ]);
  });

  it('prints a line for each part, with what to do beneath, and documents its exit codes', async () => {
    const { code, stdout } = await callLanyard(['doctor'], {
      ...healthy,
      RATE_LIMIT_PER_MINUTE: '0',
    });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^warning {2}configuration RATE_LIMIT_PER_MINUTE is 0: .+\n {23}→ Set a rate\.\nok {7}database {6}PostgreSQL \d+/,
    );
    expect((await callLanyard(['doctor'], { ...healthy, PORT: 'eighty' })).code).toBe(2);
    expect((await callLanyard(['doctor', '--help'], {})).stdout).toMatch(
      /Exit codes: 0 all is well, 1 only warnings, 2 failures/,
    );
  });

  const environments: readonly (readonly [
    what: string,
    change: Record<string, string>,
    problems: readonly string[],
    remedy: RegExp,
  ])[] = [
    [
      'malformed values',
      { PORT: 'eighty', REDIS_URL: 'x' },
      ['failure configuration'],
      /\.env\.example/,
    ],
    [
      'a standby of nothing',
      { DATABASE_URL: 'embedded', DATABASE_REPLICA_URL: 'postgres://x/y' },
      ['failure configuration'],
      /\.env\.example/,
    ],
    [
      'http in production',
      { BASE_URL: 'http://lanyard.example' },
      ['failure configuration'],
      /TLS/,
    ],
    ['no address in production', { BASE_URL: '' }, ['failure configuration'], /BASE_URL/],
    [
      'an address without a name, for passkeys',
      { BASE_URL: 'https://192.0.2.7' },
      ['warning configuration'],
      /host name/,
    ],
    [
      'https without a trusted proxy',
      { TRUST_PROXY: '' },
      ['failure configuration'],
      /TRUST_PROXY=true/,
    ],
    ['https in development', { NODE_ENV: '' }, ['warning configuration'], /NODE_ENV=production/],
    [
      'a container that listens to itself',
      { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
      ['failure configuration'],
      /HOST=0\.0\.0\.0/,
    ],
    [
      'trusted documents that are not there',
      { GRAPHQL_TRUSTED_DOCUMENTS: './none.json' },
      ['failure configuration'],
      /path/,
    ],
    [
      'a sender without a mail server',
      { MAIL_FROM: 'a@b.example' },
      ['warning configuration'],
      /SMTP_URL/,
    ],
    [
      'no PostgreSQL in production',
      { DATABASE_URL: '' },
      ['failure configuration'],
      /\.env\.example/,
    ],
    [
      'the embedded PostgreSQL',
      { DATABASE_URL: 'embedded' },
      ['warning configuration', 'warning database'],
      /DATABASE_URL/,
    ],
    ['a misspelt variable', { DATABSE_URL: 'x' }, ['failure configuration'], /\.env\.example/],
    [
      'no secret for keys',
      { KEY_ENCRYPTION_SECRET: '' },
      ['failure signing keys', 'warning configuration'],
      /openssl rand/,
    ],
    [
      'another secret',
      { KEY_ENCRYPTION_SECRET: randomBytes(32).toString('base64') },
      ['failure signing keys'],
      /encrypted with/,
    ],
    [
      'a new secret before the old',
      { KEY_ENCRYPTION_SECRET: `${randomBytes(32).toString('base64')},${secret}` },
      ['warning signing keys'],
      /keys rotate/,
    ],
    [
      'a wrong password',
      { DATABASE_URL: urlWith({ password: 'wrong-one' }) },
      ['failure database'],
      /user and the password/,
    ],
    [
      'a port where nobody listens',
      { DATABASE_URL: urlWith({ port: String(closedPort) }) },
      ['failure database'],
      /Start PostgreSQL/,
    ],
    [
      'a host that there is not',
      { DATABASE_URL: urlWith({ hostname: 'nowhere.invalid' }) },
      ['failure database'],
      /DNS/,
    ],
    [
      'a database that there is not',
      { DATABASE_URL: urlWith({ pathname: '/none' }) },
      ['failure database'],
      /Create the database/,
    ],
    [
      'a database that is called as a password is',
      {
        DATABASE_URL: urlWith({ pathname: '/red1s-pass' }),
        REDIS_URL: `redis://:red1s-pass@127.0.0.1:${closedPort}`,
      },
      ['failure database', 'warning Redis'],
      /Create the database/,
    ],
    [
      'a pooler that there is not',
      { DATABASE_DIRECT_URL: urlWith({}) },
      ['failure pooler', 'warning configuration'],
      /alter role/,
    ],
    [
      'a Redis that is gone',
      { REDIS_URL: `redis://:red1s-pass@127.0.0.1:${closedPort}` },
      ['warning Redis'],
      /Start Redis/,
    ],
    [
      'a mail server that is gone',
      { SMTP_URL: `smtp://u:ma1l-pass@127.0.0.1:${closedPort}` },
      ['warning mail'],
      /Start the mail server/,
    ],
    [
      'a folder for data that no one can make',
      { DATABASE_URL: 'embedded', DATA_DIR: '/proc/none' },
      ['failure disk', 'warning configuration', 'warning database'],
      /DATA_DIR/,
    ],
  ];
  for (const [what, change, problems, remedy] of environments) {
    it(`finds ${what}, and says what to do`, async () => {
      const diagnosis = await diagnose({ ...healthy, ...change });
      const text = JSON.stringify(diagnosis);
      expect([text, [problemsOf(diagnosis), diagnosis.status]]).toStrictEqual([
        text,
        [problems, problems[0]?.split(' ')[0]],
      ]);
      expect(remediesOf(diagnosis)).toMatch(remedy);
      for (const shown of [
        password,
        encodeURIComponent(password),
        secret,
        'wrong-one',
        'red1s-pass',
        'ma1l-pass',
      ])
        ensure(!text.includes(shown), text);
    });
  }

  for (const [what, breaks, mends, problems, remedy] of brokenStates) {
    it(`finds ${what}, and says what to do`, async () => {
      await using cleanup = new AsyncDisposableStack();
      await admin.query(breaks);
      cleanup.defer(async () => {
        await admin.query(mends);
      });
      const diagnosis = await diagnose(healthy);
      expect([diagnosis, problemsOf(diagnosis)]).toStrictEqual([expect.anything(), problems]);
      expect(remediesOf(diagnosis)).toMatch(remedy);
    });
  }

  it('finds settings with which a crash corrupts the database', async () => {
    await using cleanup = new AsyncDisposableStack();
    const set = async (value: string) => {
      await admin.query(`alter system set fsync = ${value}`);
      await admin.query('select pg_reload_conf()');
    };
    cleanup.defer(() => set('on'));
    await set('off');
    expect(problemsOf(await diagnose(healthy))).toEqual(['failure settings']);
  });

  const skip = !isInstalled('faketime') && "needs Debian's faketime";
  for (const [offset, level] of [
    ['+5', 'warning'],
    ['-90', 'failure'],
  ] as const) {
    (skip ? it.skip : it)(`finds a clock that is off by ${offset} seconds: ${level}`, async () => {
      const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;
      const clock = {
        LD_PRELOAD: library,
        FAKETIME: `${offset}s`,
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      };
      expect(problemsOf(await runDoctor({ ...healthy, ...clock }))).toStrictEqual([
        `${level} clock`,
      ]);
    });
  }
});
