/** Start and stop, as whoever types the commands sees them. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { demoPassword, demoPeople } from '../src/demo/people.js';
import { packageRoot } from '../src/root.js';
import { residentOf } from './security/hostile/process.js';
import { type Response, send } from './support/app.js';
import { callLanyard } from './support/command.js';
import { createDatabase } from './support/database.js';
import { ensure, fail } from './support/expect.js';
import { skyline, typeId } from './support/names.js';
import { freePort, type Run, runLanyard, type Server, startServer } from './support/server.js';

const directory = mkdtempSync(join(tmpdir(), 'lanyard-start-'));
const mebibyte = 1024 * 1024;
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ended = async (run: Run) => ({ code: await run.ended, ...run.output });

async function stop({ child, ended: end }: Server): Promise<number | null> {
  child.kill('SIGTERM');
  return end;
}

/** Processes that were started on the directory. */
const processesOf = (path: string): string[] =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(path));

type Call = (
  args: readonly string[],
  environment: Record<string, string>,
) => Promise<{ code: number | null; stdout: string; stderr: string }>;

/** What the token command prints, beside the server that runs. */
async function tokenBeside(
  { base }: Server,
  email: string,
  app = 'demo-dashboard',
  call: Call = callLanyard,
): Promise<string> {
  const { code, stdout, stderr } = await call(['token', '--user', email, '--app', app], {
    ...environment,
    BASE_URL: base,
  });
  expect([code, stderr]).toEqual([0, '']);
  return stdout.trim();
}

const environment = { DATA_DIR: join(directory, 'data') };

describe('lanyard serve with nothing configured', () => {
  let created: Response;

  /** Runs the `curl` line that the server printed, as a shell does. */
  function runCurl({ output }: Run) {
    const line =
      output.stdout.split('\n').find((each) => each.trim().startsWith('curl ')) ??
      fail(output.stdout);
    const text = execFileSync('sh', ['-c', line], { encoding: 'utf8' });
    return JSON.parse(text);
  }

  test('a first start prints addresses, people, password and a curl line that works when pasted; SIGTERM leaves nothing running', async () => {
    const server = await startServer(environment);
    console.info(`first start: first answer after ${server.startedIn.toFixed(0)} ms`);
    while (!server.output.stdout.includes('curl')) await delay(10);
    const { stdout } = server.output;
    const addresses = [
      '/',
      '/docs',
      '/portal',
      '/v1',
      '/v1/openapi.json',
      '/graphql',
      '/dashboard',
    ].map((path) => server.base + path);
    const people = demoPeople.flatMap(({ email, is }) => [email, is]);
    for (const text of [...addresses, ...people, demoPassword]) ensure(stdout.includes(text), text);
    expect(runCurl(server).data.user.email).toBe('manager@skyline.example');

    const typed: Call = (args, environment) => ended(runLanyard(args, environment));
    const me = await send(server.base, 'GET', '/v1/me', {
      token: await tokenBeside(server, 'climber@skyline.example', 'demo-reader', typed),
    });
    expect([me.body.data.user.email, me.body.data.app.client_id]).toEqual([
      'climber@skyline.example',
      'demo-reader',
    ]);

    const token = await tokenBeside(server, 'manager@skyline.example');
    created = await send(server.base, 'POST', '/v1/certifications', {
      token,
      body: { certification_type_id: typeId('rf-awareness') },
    });
    expect(created.status).toBe(201);
    expect(processesOf(directory).length).toBeGreaterThan(0);
    expect(await stop(server)).toBe(0);
    expect(processesOf(directory)).toEqual([]);
  });

  test('a second start keeps what was written, refuses a second server beside it, and answers all it took when SIGTERM comes under load', async () => {
    const server = await startServer(environment);
    console.info(`second start: first answer after ${server.startedIn.toFixed(0)} ms`);
    const token = await tokenBeside(server, 'manager@skyline.example');
    const read = await send(server.base, 'GET', created.headers.get('location') ?? '', { token });
    expect(read.text).toBe(created.text);

    const { code, stderr } = await ended(
      runLanyard(['serve'], { ...environment, PORT: String(await freePort()) }),
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /is already running on .*: stop it, or set another DATA_DIR or a DATABASE_URL/,
    );

    const requests: [method: string, path: string, body?: object][] = [
      ['GET', `${skyline}/certifications?limit=50`],
      ['POST', '/v1/certifications', { certification_type_id: typeId('rf-awareness') }],
    ];
    const outcomes: string[] = [];
    const client = async (number: number) => {
      for (let isUp = true; isUp; ) {
        const [method, path, body] = requests[number % requests.length] ?? fail();
        // Half of them keep their connection, and half make one for each request.
        const headers = number < 8 ? {} : { connection: 'close' };
        const outcome = await send(server.base, method, path, { token, body, headers }).then(
          ({ status }) => String(status),
          ({ code, message }) => String(code ?? message),
        );
        outcomes.push(outcome);
        isUp = /^\d+$/.test(outcome);
      }
    };
    const clients = Array.from({ length: 16 }, (_, number) => client(number));
    await delay(500);
    const before = outcomes.length;
    const stopped = performance.now();
    expect(await stop(server)).toBe(0);
    const took = performance.now() - stopped;
    await Promise.all(clients);
    const counts = Object.fromEntries(
      [...new Set(outcomes)].map((each) => [
        each,
        outcomes.filter((outcome) => outcome === each).length,
      ]),
    );
    console.info(
      `gone ${took.toFixed(0)} ms after SIGTERM; ${outcomes.length - before} of ${outcomes.length} requests ended after it: ${JSON.stringify(counts)}`,
    );
    expect(Object.keys(counts).sort()).toEqual(['200', '201', 'ECONNREFUSED']);
    expect(processesOf(directory)).toEqual([]);
  });
});

/** The lines of a shell that the server printed, from one that begins so. */
const printed = ({ output }: Run, begins: string, count = 1): string => {
  const lines = output.stdout.split('\n').map((line) => line.trim());
  const first = lines.findIndex((line) => line.startsWith(begins));
  ensure(first >= 0, output.stdout);
  return lines.slice(first, first + count).join('\n');
};

describe('lanyard serve elsewhere than usual', () => {
  const usual = { DATA_DIR: join(directory, 'else where'), PORT: '' };
  let server: Server;

  test('prints a token command that is right for it, wherever it is pasted', async () => {
    usual.PORT = String(await freePort());
    server = await startServer(usual, Number(usual.PORT));
    while (!server.output.stdout.includes('Ctrl-C')) await delay(10);
    const line = printed(server, 'TOKEN=', 2);
    expect(line).toMatch(
      new RegExp(`^TOKEN=\\$\\(BASE_URL=http://localhost:${usual.PORT} DATA_DIR='`),
    );
    // As a script of npm runs it, without the seconds of the compiler.
    const npm = `npm() { shift 4; "${process.execPath}" "${join(packageRoot, 'dist/src/main.js')}" token "$@"; }`;
    const text = execFileSync('bash', ['-c', `${npm}\n${line}`], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
      cwd: packageRoot,
    });
    expect(JSON.parse(text).data.user.email).toBe('manager@skyline.example');
  });

  test('answers on both addresses that localhost may mean, and leaves neither behind', async () => {
    const places = ['127.0.0.1', ...(hasIpv6() ? ['[::1]'] : [])];
    console.info(places.join(' and '));
    for (const place of places)
      expect([place, (await fetch(`http://${place}:${usual.PORT}/livez`)).status]).toStrictEqual([
        place,
        200,
      ]);
    const page = await fetch(`http://[::1]:${usual.PORT}/v1/me`).catch(() => undefined);
    if (page) expect(page.status).toBe(401);
    const taken = await ended(
      runLanyard(['serve'], { ...usual, DATA_DIR: join(directory, 'third') }),
    );
    expect(taken.code).toBe(1);
    expect(taken.stderr).toMatch(
      /^Port \d+ is taken on 127\.0\.0\.1: stop the program that has it, or choose another, such as PORT=\d+\.\n$/,
    );
    // It looked at the port before it made a database.
    expect(existsSync(join(directory, 'third'))).toBe(false);
    expect(await stop(server)).toBe(0);
    for (const place of places)
      await expect(fetch(`http://${place}:${usual.PORT}/livez`)).rejects.toThrow();
  });
});

describe('two first starts at once in one folder', () => {
  test('do not harm each other: one serves, the other says why it does not', async () => {
    const DATA_DIR = join(directory, 'shared');
    const runs = await Promise.all(
      [1, 2].map(async () => runLanyard(['serve'], { DATA_DIR, PORT: String(await freePort()) })),
    );
    const first = await Promise.race(runs.map(async (run) => ({ run, code: await run.ended })));
    expect([first.run.output.stderr, first.code]).toStrictEqual([first.run.output.stderr, 1]);
    expect(first.run.output.stderr).toMatch(
      /^Lanyard is already running on .*shared: stop it, .*\.\n$/,
    );
    const other = runs.find((run) => run !== first.run) ?? fail();
    while (!other.output.stdout.includes('Ctrl-C')) {
      expect([other.output.stderr, other.child.exitCode]).toStrictEqual([
        other.output.stderr,
        null,
      ]);
      await delay(20);
    }
    other.child.kill('SIGTERM');
    expect(await other.ended).toBe(0);
    const left = readdirSync(DATA_DIR);
    expect(left.sort()).toEqual(['cluster', 'lock', 'password', 'postgres.log']);
  });
});

describe('a folder for data that can not be used', () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');
  const old = join(directory, 'old');
  const cases: readonly (readonly [what: string, path: () => string, says: RegExp])[] = [
    ['a file', () => file, /there is a file of that name \(EEXIST/],
    ['below a file', () => join(file, 'data'), /there is a file of that name \(EEXIST/],
    [
      'where no folder can be made',
      () => '/proc/none/data',
      /no folder can be made there \(ENOENT/,
    ],
    [
      'that of an older PostgreSQL',
      () => {
        execFileSync('cp', ['-a', join(directory, 'shared'), old]);
        writeFileSync(join(old, 'cluster', 'PG_VERSION'), '15\n');
        execFileSync('chown', [
          '-R',
          '--reference',
          join(directory, 'shared', 'cluster'),
          join(old, 'cluster'),
        ]);
        return old;
      },
      /is of PostgreSQL 15, and Lanyard brings PostgreSQL \d+\. Set DATA_DIR to a new folder/,
    ],
  ];
  for (const [what, path, says] of cases)
    test(`is named with what to do, without a stack: ${what}`, async () => {
      const { code, stdout, stderr } = await ended(
        runLanyard(['serve'], { DATA_DIR: path(), PORT: String(await freePort()) }),
      );
      expect([stderr, [code, stdout]]).toStrictEqual([stderr, [1, '']]);
      expect(stderr).toMatch(says);
      expect(stderr).toMatch(/DATA_DIR/);
      expect(stderr).not.toMatch(/^ +at /m);
    });

  // Only root can become somebody who may not write there.
  (process.getuid?.() !== 0 ? test.skip : test)(
    'is named also where this user may not write',
    async () => {
      const closed = join(directory, 'closed');
      mkdirSync(closed, { mode: 0o700 });
      const program = `process.setgid(65534); process.setuid(65534); const { startEmbedded } = await import(${JSON.stringify(join(packageRoot, 'dist/src/database/embedded.js'))});
      await startEmbedded(${JSON.stringify(join(closed, 'data'))}).catch(({ message }) => console.log(message));`;
      const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
        encoding: 'utf8',
      });
      expect(said).toMatch(
        /this user may not read and write there \(EACCES, .*Set DATA_DIR to a folder that this user may write to/,
      );
    },
  );
});

const hasIpv6 = (): boolean =>
  Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

test('Ctrl-C stops a server whole, also where npm passes the signal on that the terminal sent already, and SIGTERM comes twice', async () => {
  const server = await startServer(environment);
  for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGTERM'] as const) {
    server.child.kill(signal);
    await delay(20);
  }
  expect(await server.ended).toBe(0);
  expect(processesOf(directory)).toEqual([]);
});

const { url, drop } = await createDatabase('template1');
afterAll(drop);

describe('lanyard serve with DATABASE_URL', () => {
  const serve = { DATABASE_URL: url };
  const elsewhere = async () => ({ ...serve, PORT: String(await freePort()) });
  let server: Server;
  afterAll(() => server?.child.kill('SIGKILL'));

  test('refuses a schema that is not migrated, and names the command that migrates', async () => {
    const refused = await ended(runLanyard(['serve'], await elsewhere()));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/lacks the migrations .*: run "npm run migrate" first/);
    const migrated = await ended(runLanyard(['migrate'], serve));
    expect([migrated.code, migrated.stderr]).toEqual([0, '']);
    server = await startServer(serve);
    expect(server.output.stdout).not.toContain(demoPassword);
  });

  (process.platform !== 'linux' ? test.skip : test)(
    'in production gives back the memory that only its start needed',
    async () => {
      const kept = residentOf(server.child.pid);
      const production = await startServer({ ...serve, NODE_ENV: 'production' });
      const given = residentOf(production.child.pid);
      expect(await stop(production)).toBe(0);
      console.info(
        `${Math.round(kept / mebibyte)} MiB, in production ${Math.round(given / mebibyte)} MiB`,
      );
      ensure(given < kept - 20 * mebibyte, `${given} bytes, and ${kept} in development`);
    },
  );

  test('ends where it can not listen, and does not linger', async () => {
    const { code, stderr } = await ended(
      runLanyard(['serve'], { ...serve, PORT: new URL(server.base).port }),
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Port \d+ is taken on 127\.0\.0\.1: stop the program that has it, or choose another, such as PORT=\d+\.\n$/,
    );
    expect(await stop(server)).toBe(0);
  });

  test('ends where something fails while it starts, and does not linger', async () => {
    const run = runLanyard(['serve'], {
      ...(await elsewhere()),
      GRAPHQL_TRUSTED_DOCUMENTS: './none.json',
    });
    const tooLong = setTimeout(() => run.child.kill('SIGKILL'), 20_000);
    const { code, stderr } = await ended(run);
    clearTimeout(tooLong);
    expect(stderr).toMatch(/none\.json/);
    ensure(code, String(code));
  });
});

test('the server is started so that V8 never makes new objects among the old', () => {
  const read = (file: string) => readFileSync(join(packageRoot, file), 'utf8');
  const [, image = ''] = /^ENTRYPOINT (.*)$/m.exec(read('Dockerfile')) ?? [];
  const [, script = ''] =
    /exec node (.*) dist/.exec(JSON.parse(read('package.json')).scripts.start) ?? [];
  const flags = script.split(' ');
  expect(JSON.parse(image)).toEqual(['node', ...flags, 'dist/src/main.js']);
  // V8 lists each place in the code of which it considers that.
  const considered = (given: readonly string[]): number => {
    const tracing = [...given, '--max-semi-space-size=1', '--trace-pretenuring-statistics'];
    const text = execFileSync(
      process.execPath,
      [...tracing, join(packageRoot, 'dist', 'src', 'main.js'), 'serve', '--help'],
      {
        encoding: 'utf8',
      },
    );
    return text.split('pretenuring:').length - 1;
  };
  expect(considered([])).not.toBe(0);
  expect(considered(flags)).toBe(0);
});

describe('a configuration that is wrong', () => {
  const refused = async (environment: Record<string, string>, cwd?: string) => {
    const { code, stdout, stderr } = await ended(runLanyard(['serve'], environment, cwd));
    expect([code, stdout]).toEqual([2, '']);
    return stderr;
  };

  test('one message names every malformed variable', async () => {
    const wrong = {
      PORT: 'eighty',
      DATABASE_URL: 'mysql://x',
      LOG_LEVEL: 'loud',
      IDEMPOTENCY_TTL_HOURS: '1',
      TRUST_PROXY: 'maybe',
    };
    const message = await refused(wrong);
    for (const name of Object.keys(wrong))
      expect(message).toMatch(new RegExp(`^  ${name}: must be .+`, 'm'));
    expect(message).not.toMatch(/\bat .*\.js:/);
  });

  test('a Node that is too old is named', async () => {
    const old =
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
    const message = await refused({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}`,
    });
    expect(message).toMatch(/^Lanyard needs Node 24 or later; this is 20\.20\.2\./);
  });

  test('a variable of .env that Lanyard does not know is named', async () => {
    writeFileSync(join(directory, '.env'), 'PROT=4001\nDATA_DIRECTORY=x\n');
    const message = await refused({}, directory);
    for (const name of ['PROT', 'DATA_DIRECTORY']) ensure(message.includes(name), message);
  });

  test('a variable of the environment that must be a misspelling is named, in production too', async () => {
    const message = await refused({
      NODE_ENV: 'production',
      DATABASE_URL: 'embedded',
      DATA_DRI: 'x',
      LOGLEVEL: 'warn',
    });
    expect(message).toMatch(/^ {2}DATA_DRI: is unknown; did you mean DATA_DIR\?$/m);
    expect(message).toMatch(/^ {2}LOGLEVEL: is unknown; did you mean LOG_LEVEL\?$/m);
  });
});
