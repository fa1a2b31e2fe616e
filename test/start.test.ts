/** Start and stop, as whoever types the commands sees them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { demoPassword, demoPeople } from '../src/database/demo/people.js';
import { packageRoot } from '../src/root.js';
import { residentOf } from './security/hostile/process.js';
import { type Response, send } from './support/app.js';
import { callLanyard } from './support/command.js';
import { createDatabase } from './support/database.js';
import { skyline, typeId } from './support/names.js';
import { freePort, type Run, runLanyard, type Server, startServer } from './support/server.js';

const directory = mkdtempSync(join(tmpdir(), 'lanyard-start-'));
const mebibyte = 1024 * 1024;
after(() => rmSync(directory, { recursive: true, force: true }));

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
async function tokenBeside({ base }: Server, email: string, app = 'demo-dashboard', call: Call = callLanyard): Promise<string> {
  const { code, stdout, stderr } = await call(['token', '--user', email, '--app', app], { ...environment, BASE_URL: base });
  assert.deepEqual([code, stderr], [0, '']);
  return stdout.trim();
}

const environment = { DATA_DIR: join(directory, 'data') };

describe('lanyard serve with nothing configured', () => {
  let created: Response;

  /** Runs the `curl` line that the server printed, as a shell does. */
  function runCurl({ output }: Run) {
    const line = output.stdout.split('\n').find((each) => each.trim().startsWith('curl ')) ?? assert.fail(output.stdout);
    const text = execFileSync('sh', ['-c', line], { encoding: 'utf8' });
    return JSON.parse(text);
  }

  test('a first start prints addresses, people, password and a curl line that works when pasted; SIGTERM leaves nothing running', async (t) => {
    const server = await startServer(environment);
    t.diagnostic(`first start: first answer after ${server.startedIn.toFixed(0)} ms`);
    while (!server.output.stdout.includes('curl')) await delay(10);
    const { stdout } = server.output;
    const addresses = ['/v1', '/v1/openapi.json', '/graphql', '/dashboard'].map((path) => server.base + path);
    const people = demoPeople.flatMap(({ email, is }) => [email, is]);
    for (const text of [...addresses, ...people, demoPassword]) assert.ok(stdout.includes(text), text);
    assert.equal(runCurl(server).data.user.email, 'manager@skyline.example');

    const typed: Call = (args, environment) => ended(runLanyard(args, environment));
    const me = await send(server.base, 'GET', '/v1/me', {
      token: await tokenBeside(server, 'climber@skyline.example', 'demo-reader', typed),
    });
    assert.deepEqual([me.body.data.user.email, me.body.data.app.client_id], ['climber@skyline.example', 'demo-reader']);

    const token = await tokenBeside(server, 'manager@skyline.example');
    created = await send(server.base, 'POST', '/v1/certifications', { token, body: { certification_type_id: typeId('rf-awareness') } });
    assert.equal(created.status, 201);
    assert.ok(processesOf(directory).length > 0);
    assert.equal(await stop(server), 0);
    assert.deepEqual(processesOf(directory), []);
  });

  test('a second start keeps what was written, refuses a second server beside it, and answers all it took when SIGTERM comes under load', async (t) => {
    const server = await startServer(environment);
    t.diagnostic(`second start: first answer after ${server.startedIn.toFixed(0)} ms`);
    const token = await tokenBeside(server, 'manager@skyline.example');
    const read = await send(server.base, 'GET', created.headers.get('location') ?? '', { token });
    assert.equal(read.text, created.text);

    const { code, stderr } = await ended(runLanyard(['serve'], { ...environment, PORT: String(await freePort()) }));
    assert.equal(code, 1);
    assert.match(stderr, /is already running on .*: stop that one, or give this one another DATA_DIR or a DATABASE_URL/);

    const requests: [method: string, path: string, body?: object][] = [
      ['GET', `${skyline}/certifications?limit=50`],
      ['POST', '/v1/certifications', { certification_type_id: typeId('rf-awareness') }],
    ];
    const outcomes: string[] = [];
    const client = async (number: number) => {
      for (let isUp = true; isUp; ) {
        const [method, path, body] = requests[number % requests.length] ?? assert.fail();
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
    assert.equal(await stop(server), 0);
    const took = performance.now() - stopped;
    await Promise.all(clients);
    const counts = Object.fromEntries([...new Set(outcomes)].map((each) => [each, outcomes.filter((outcome) => outcome === each).length]));
    t.diagnostic(
      `gone ${took.toFixed(0)} ms after SIGTERM; ${outcomes.length - before} of ${outcomes.length} requests ended after it: ${JSON.stringify(counts)}`,
    );
    assert.deepEqual(Object.keys(counts).sort(), ['200', '201', 'ECONNREFUSED']);
    assert.deepEqual(processesOf(directory), []);
  });
});

test('Ctrl-C stops a server whole, also where npm passes the signal on that the terminal sent already, and SIGTERM comes twice', async () => {
  const server = await startServer(environment);
  for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGTERM'] as const) {
    server.child.kill(signal);
    await delay(20);
  }
  assert.equal(await server.ended, 0);
  assert.deepEqual(processesOf(directory), []);
});

describe('lanyard serve with DATABASE_URL', async () => {
  const { url, drop } = await createDatabase('template1');
  after(drop);
  const serve = { DATABASE_URL: url };
  const elsewhere = async () => ({ ...serve, PORT: String(await freePort()) });
  let server: Server;
  after(() => server?.child.kill('SIGKILL'));

  test('refuses a schema that is not migrated, and names the command that migrates', async () => {
    const refused = await ended(runLanyard(['serve'], await elsewhere()));
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /lacks the migrations .*: run "npm run migrate" first/);
    const migrated = await ended(runLanyard(['migrate'], serve));
    assert.deepEqual([migrated.code, migrated.stderr], [0, '']);
    server = await startServer(serve);
    assert.ok(!server.output.stdout.includes(demoPassword));
  });

  test('in production gives back the memory that only its start needed', { skip: process.platform !== 'linux' }, async (t) => {
    const kept = residentOf(server.child.pid);
    const production = await startServer({ ...serve, NODE_ENV: 'production' });
    const given = residentOf(production.child.pid);
    assert.equal(await stop(production), 0);
    t.diagnostic(`${Math.round(kept / mebibyte)} MiB, in production ${Math.round(given / mebibyte)} MiB`);
    assert.ok(given < kept - 20 * mebibyte, `${given} bytes, and ${kept} in development`);
  });

  test('ends where it can not listen, and does not linger', async () => {
    const { code, stderr } = await ended(runLanyard(['serve'], { ...serve, PORT: new URL(server.base).port }));
    assert.equal(code, 1);
    assert.match(stderr, /EADDRINUSE/);
    assert.equal(await stop(server), 0);
  });

  test('ends where something fails while it starts, and does not linger', async () => {
    const run = runLanyard(['serve'], { ...(await elsewhere()), GRAPHQL_TRUSTED_DOCUMENTS: './none.json' });
    const tooLong = setTimeout(() => run.child.kill('SIGKILL'), 20_000);
    const { code, stderr } = await ended(run);
    clearTimeout(tooLong);
    assert.match(stderr, /none\.json/);
    assert.ok(code, String(code));
  });
});

test('no command lets V8 make new objects among the old', () => {
  // It tells of each place in the code of which it considers that.
  const considered = (program: string): number => {
    const flags = ['--max-semi-space-size=1', '--trace-pretenuring-statistics'];
    const text = execFileSync(process.execPath, [...flags, join(packageRoot, 'dist', 'src', program), 'serve', '--help'], {
      encoding: 'utf8',
    });
    return text.split('pretenuring:').length - 1;
  };
  assert.notEqual(considered('cli.js'), 0);
  assert.equal(considered('main.js'), 0);
});

describe('a configuration that is wrong', () => {
  const refused = async (environment: Record<string, string>, cwd?: string) => {
    const { code, stdout, stderr } = await ended(runLanyard(['serve'], environment, cwd));
    assert.deepEqual([code, stdout], [2, '']);
    return stderr;
  };

  test('one message names every malformed variable', async () => {
    const wrong = { PORT: 'eighty', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud', IDEMPOTENCY_TTL_HOURS: '1', TRUST_PROXY: 'maybe' };
    const message = await refused(wrong);
    for (const name of Object.keys(wrong)) assert.match(message, new RegExp(`^  ${name}: must be .+`, 'm'));
    assert.doesNotMatch(message, /\bat .*\.js:/);
  });

  test('a Node that is too old is named', async () => {
    const old = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })';
    const message = await refused({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(old)}` });
    assert.match(message, /^Lanyard needs Node 24 or later; this is 20\.20\.2\./);
  });

  test('a variable of .env that Lanyard does not know is named', async () => {
    writeFileSync(join(directory, '.env'), 'PROT=4001\nDATA_DIRECTORY=x\n');
    const message = await refused({}, directory);
    for (const name of ['PROT', 'DATA_DIRECTORY']) assert.ok(message.includes(name), message);
  });
});
