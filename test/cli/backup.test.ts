/** `lanyard backup`: of the embedded database, under writes, and what it refuses. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { digestsOf } from '../../src/database/embedded/digests.js';
import { attachEmbedded } from '../../src/database/embedded.js';
import { packageRoot } from '../../src/root.js';
import { createDatabase } from '../support/database.js';
import { blocksOf, readText } from '../support/markdown.js';
import { runLanyard, startServer } from '../support/server.js';

const folder = mkdtempSync(join(tmpdir(), 'lanyard-backup-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const data = join(folder, 'data');
const backup = join(folder, 'backup');

async function run(...args: string[]) {
  const { output, ended } = runLanyard(args, { DATA_DIR: data });
  return { code: await ended, ...output };
}

async function ask<Row extends object>(directory: string, sql: string): Promise<Row[]> {
  const client = new pg.Client((await attachEmbedded(directory)) ?? '');
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('has every write that was acknowledged before it, serves as a data folder, and overwrites nothing', async () => {
  const server = await startServer({ DATA_DIR: data });
  let isOver = false;
  const token = await run('token', '--user', 'manager@skyline.example', '--app', 'demo-dashboard');
  expect([token.stderr, token.code]).toStrictEqual([token.stderr, 0]);
  const url = (await attachEmbedded(data)) ?? '';
  const writer = new pg.Client(url);
  await writer.connect();
  await writer.query('create table marks (mark int primary key)');
  await writer.query('insert into marks values (0)');
  const writing = (async () => {
    for (let mark = 1; !isOver; mark++) await writer.query('insert into marks values ($1)', [mark]);
  })();
  const made = await run('backup', backup);
  isOver = true;
  await writing;
  expect([made.stderr, made.code]).toStrictEqual([made.stderr, 0]);
  expect(made.stdout).toMatch(/^Backed up to .*: \d+ rows of \d+ tables are equal\.\n$/);
  expect(readdirSync(folder).sort()).toStrictEqual(['backup', 'data']);
  const again = await run('backup', backup);
  expect([again.code, again.stderr]).toStrictEqual([
    2,
    expect.stringContaining('is not overwritten'),
  ]);
  const [live] = await ask<{ marks: number }>(data, 'select count(*)::int as marks from marks');
  await writer.end();
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);

  const restored = await startServer({ DATA_DIR: backup });
  const [found] = await ask<{ marks: number; newest: number }>(
    backup,
    'select count(*)::int as marks, max(mark) as newest from marks',
  );
  // Writes went on while it was made; it has those up to one moment, without a gap.
  expect(found?.marks).toBe((found?.newest ?? 0) + 1);
  expect(found?.marks).toBeLessThanOrEqual(live?.marks ?? 0);
  const me = await fetch(`${restored.base}/readyz`);
  expect(me.status).toBe(200);
  restored.child.kill('SIGTERM');
  expect(await restored.ended).toBe(0);
});

test('the runbook of docs/operations.md restores what was lost, word for word', async () => {
  const place = join(folder, 'runbook');
  mkdirSync(place);
  const blocks = blocksOf(readText('docs/operations.md'))
    .filter(({ language, text }) => language === 'sh' && /backup|data|doctor/.test(text))
    .map(({ text }) => text);
  expect(blocks.map((text) => text.split('\n').length - 1)).toEqual([1, 2, 1]);
  const environment = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: join(place, 'data'),
    LOG_LEVEL: 'warn',
  };
  const sh = (text: string): Promise<number | null> => {
    const program = `"${process.execPath}" "${join(packageRoot, 'dist/src/main.js')}"`;
    const script = `set -e\n${text.replaceAll('npx lanyard', program)}`;
    const child = spawn('bash', ['-c', script], { cwd: place, env: environment, stdio: 'ignore' });
    return once(child, 'exit').then(([code]) => code as number | null);
  };
  const { DATA_DIR } = environment;
  const first = await startServer({ DATA_DIR });
  expect(await sh(blocks[0] ?? '')).toBe(0);
  await ask(DATA_DIR, `update organizations set name = 'Damaged'`);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(await sh(blocks[1] ?? '')).toBe(0);
  const second = await startServer({ DATA_DIR });
  expect(await sh(blocks[2] ?? '')).toBe(0);
  const names = await ask<{ name: string }>(DATA_DIR, 'select distinct name from organizations');
  expect(names.map(({ name }) => name)).not.toContain('Damaged');
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
});

test('refuses a folder with files, one in DATA_DIR, a database of your own, and a server that does not run', async () => {
  const full = join(folder, 'full');
  mkdirSync(join(full, 'other'), { recursive: true });
  const cases: [args: string[], environment: Record<string, string>, message: RegExp][] = [
    [[full], {}, /is not overwritten/],
    [[join(data, 'backup')], {}, /must not be in DATA_DIR/],
    [[join(folder, 'new')], { DATABASE_URL: 'postgresql://127.0.0.1/x' }, /pg_basebackup/],
    [[join(folder, 'new')], {}, /start Lanyard first/],
  ];
  for (const [args, environment, message] of cases) {
    const { output, ended } = runLanyard(['backup', ...args], { DATA_DIR: data, ...environment });
    expect([await ended, output.stderr]).toStrictEqual([2, expect.stringMatching(message)]);
  }
  expect(existsSync(join(folder, 'new'))).toBe(false);
});

test('planted: a row that is lost or changed changes the digest of its table alone', async () => {
  const { url, drop } = await createDatabase();
  const client = new pg.Client(url);
  await client.connect();
  try {
    const before = await digestsOf(client);
    const differing = async () =>
      (await digestsOf(client)).filter(
        ({ rows, digest }, index) =>
          digest !== before[index]?.digest || rows !== before[index]?.rows,
      );
    expect(await differing()).toEqual([]);
    await client.query(
      `update users set display_name = display_name || '.' where id in (select id from users limit 1)`,
    );
    expect((await differing()).map(({ name }) => name)).toStrictEqual(['public.users']);
  } finally {
    await client.end();
    await drop();
  }
});
