import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { attachEmbedded, startEmbedded } from '../../src/database/embedded.js';

let directory: string;
const fast = { durable: false };

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'lanyard-embedded-'));
  chmodSync(directory, 0o755);
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return rows.flat()[0];
  } finally {
    await client.end();
  }
}

/** Another process that starts PostgreSQL and stays. */
async function startElsewhere(): Promise<ChildProcess> {
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(new URL('../../src/database/embedded.js', import.meta.url).href)});
    const { url } = await startEmbedded(${JSON.stringify(directory)}, { durable: false });
    console.log(url);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

/**
 * Starts PostgreSQL in a new folder by two processes at once.
 * @param wrapper The command that runs each, such as one for a process namespace of its own.
 * @returns What each printed: the address of its server, or the error.
 */
async function startTwice(...wrapper: string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-embedded-'));
  chmodSync(folder, 0o755);
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(new URL('../../src/database/embedded.js', import.meta.url).href)});
    const server = await startEmbedded(${JSON.stringify(folder)}, { durable: false }).catch(({ message }) => message);
    console.log(server.url ?? server);
    if (server.url) await new Promise((resolve) => process.stdin.once('end', resolve).resume());
    await server.stop?.();`;
  const [program = '', ...args] = [
    ...wrapper,
    process.execPath,
    '--input-type=module',
    '--eval',
    script,
  ];
  const children = [1, 2].map(() => spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
  try {
    return await Promise.all(
      children.map(async ({ stdout }) => {
        const [chunk] = await Promise.race([once(stdout, 'data'), once(stdout, 'end')]);
        return String(chunk ?? 'ended').trim();
      }),
    );
  } finally {
    const ended = children.map((child) => child.exitCode ?? once(child, 'exit'));
    for (const { stdin } of children) stdin.end();
    await Promise.all(ended);
    rmSync(folder, { recursive: true, force: true });
  }
}

const pidOf = () =>
  Number(readFileSync(join(directory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);

test('a first start makes a cluster that only this machine and the holder of the password reach', async () => {
  expect(await attachEmbedded(directory)).toBeUndefined();
  const server = await startEmbedded(directory, fast);
  try {
    const { hostname, port, pathname } = new URL(server.url);
    expect([hostname, pathname]).toEqual(['127.0.0.1', '/lanyard']);
    expect(Number(port)).toBeLessThan(32_768);
    expect(await ask(server.url, 'select current_database()')).toBe('lanyard');
    expect(await ask(server.url, 'show listen_addresses')).toBe('127.0.0.1');
    expect(await ask(server.url, 'show unix_socket_directories')).toBe('');
    expect(await ask(server.url, 'show server_encoding')).toBe('UTF8');
    expect(statSync(join(directory, 'password')).mode & 0o777).toBe(0o600);
    await expect(ask(server.url.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toMatchObject({
      code: '28P01',
    });
    await ask(server.url, 'create table kept as select 42 as answer');
  } finally {
    await server.stop();
  }
  expect(await attachEmbedded(directory)).toBeUndefined();
});

test('a later start keeps the data, and others in its time attach but may not start', async () => {
  const server = await startEmbedded(directory, fast);
  try {
    expect(await attachEmbedded(directory)).toBe(server.url);
    expect(await ask(server.url, 'select answer from kept')).toBe(42);
    await expect(startEmbedded(directory)).rejects.toThrow(/is already running/);
    expect(await ask(server.url, 'select 1')).toBe(1);
  } finally {
    await Promise.all([server.stop(), server.stop()]);
  }
});

test('a server whose owner was killed is taken over as it runs', async () => {
  const other = await startElsewhere();
  await expect(startEmbedded(directory)).rejects.toThrow(/is already running/);
  const orphan = pidOf();
  other.kill('SIGKILL');
  const server = await startEmbedded(directory, fast);
  try {
    expect(pidOf()).toBe(orphan);
    expect(await ask(server.url, 'select answer from kept')).toBe(42);
  } finally {
    await server.stop();
  }
  expect(await attachEmbedded(directory)).toBeUndefined();
});

test('what a crash of everything left behind does not keep it from starting', async () => {
  const other = await startElsewhere();
  const pidFile = join(directory, 'cluster', 'postmaster.pid');
  const left = readFileSync(pidFile, 'utf8');
  process.kill(pidOf(), 'SIGKILL');
  other.kill('SIGKILL');
  await once(other, 'exit');
  // The worst case: after a reboot the number belongs to another process, of the same user.
  writeFileSync(pidFile, left.replace(/^\d+/, String(process.pid)));
  const server = await startEmbedded(directory, fast);
  try {
    expect(await ask(server.url, 'select answer from kept')).toBe(42);
  } finally {
    await server.stop();
  }
});

test('a start that fails says what PostgreSQL said, and leaves nothing that bars the next', async () => {
  await expect(
    startEmbedded(directory, { ...fast, settings: { shared_buffers: 'plenty' } }),
  ).rejects.toThrow(/did not start[\s\S]*invalid value for parameter "shared_buffers"/);
  const server = await startEmbedded(directory, fast);
  await server.stop();
});

// Only root runs PostgreSQL as somebody else.
(process.getuid?.() !== 0 ? test.skip : test)(
  'root starts it where the user who runs it may not pass, such as below /root',
  async () => {
    chmodSync(directory, 0o700);
    const server = await startEmbedded(directory, fast);
    try {
      expect(await ask(server.url, 'select answer from kept')).toBe(42);
    } finally {
      await server.stop();
    }
  },
);

const namespace = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
const [unshare = '', ...unshareArgs] = namespace;
const canUnshare = spawnSync(unshare, [...unshareArgs, 'true']).status === 0;

describe('of two first starts at once in one folder, one serves', () => {
  const serves = (said: string) => said.startsWith('postgresql://');
  const isRefused = (said: string) => said.startsWith('Lanyard is already running');

  test('as processes of one machine', async () => {
    const said = await startTwice();
    expect([said.filter(serves), said.filter(isRefused)].map(({ length }) => length)).toEqual([
      1, 1,
    ]);
  });

  (canUnshare ? test : test.skip)(
    'as the first processes of two containers, which have the same id',
    async () => {
      const said = await startTwice(...namespace);
      expect([said.filter(serves), said.filter(isRefused)].map(({ length }) => length)).toEqual([
        1, 1,
      ]);
    },
  );
});
