/** `npm run dev` in a copy of the sources. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageRoot } from '../../src/root.js';
import { ensure } from '../support/expect.js';
import { freePort } from '../support/server.js';

const tree = mkdtempSync(join(tmpdir(), 'lanyard-dev-'));
const parts = [
  'src',
  'dashboard',
  'explorer',
  'tools/dev',
  'schema',
  'public',
  'docs',
  'package.json',
  'tsconfig.json',
  'dist/src',
  'dist/tools/dev',
  'dist/tsconfig.tsbuildinfo',
];
const port = await freePort();
const base = `http://127.0.0.1:${port}`;
const output = { text: '' };

function startDev() {
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    DATA_DIR: join(tree, 'data'),
    LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, [join(tree, 'dist/tools/dev/run.js')], {
    cwd: tree,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output.text += text;
    });
  }
  return child;
}

/** Processes of the copy: servers, compilers, PostgreSQL. */
const processes = (): string[] =>
  execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(tree));

async function until(is: () => Promise<boolean> | boolean): Promise<void> {
  for (const began = performance.now(); !(await is()); await delay(50))
    if (performance.now() - began > 60_000) throw new Error(`It took too long: ${output.text}`);
}

const isUp = (): Promise<boolean> =>
  fetch(`${base}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

function edit(path: string, from: string, to: string): void {
  const file = join(tree, path);
  const text = readFileSync(file, 'utf8');
  ensure(text.includes(from), path);
  writeFileSync(file, text.replace(from, to));
}

describe('npm run dev', () => {
  beforeAll(() => {
    for (const part of parts)
      cpSync(join(packageRoot, part), join(tree, part), { recursive: true });
    symlinkSync(join(packageRoot, 'node_modules'), join(tree, 'node_modules'));
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  it('reloads when a source changes, stays as it was when that does not compile, and stops whole', async () => {
    await using cleanup = new AsyncDisposableStack();
    const dev = startDev();
    cleanup.defer(() => void dev.kill('SIGTERM'));
    await until(isUp);
    expect(processes().some((line) => line.includes('postgres'))).toBe(true);

    const began = performance.now();
    edit('src/cli/commands/greeting.ts', 'Lanyard is ready.', 'Lanyard is changed.');
    await until(() => output.text.includes('Lanyard is changed.'));
    console.info(`reloaded in ${(performance.now() - began).toFixed(0)} ms`);
    expect(await isUp()).toBe(true);

    edit('src/root.ts', 'export const', 'export cnst');
    await until(() => output.text.includes('does not compile'));
    expect(await isUp()).toBe(true);
    edit('src/root.ts', 'export cnst', 'export const');
    await until(() => output.text.split('Lanyard is changed.').length === 3);

    const ended = once(dev, 'exit');
    // As npm does after the terminal: the same signal twice.
    dev.kill('SIGINT');
    dev.kill('SIGINT');
    const [code] = await ended;
    expect(code).toBe(0);
    expect(processes()).toEqual([]);
  }, 300_000);
});
