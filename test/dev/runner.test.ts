/**
 * The configuration of Jest: what is wrong with a test file makes the run fail, and no other file.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/root.js';

const folder = mkdtempSync(join(tmpdir(), 'lanyard-runner-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bodies: Readonly<Record<string, string>> = {
  good: `test('passes', () => expect(1).toBe(1));`,
  failing: `test('fails', () => expect(1).toBe(2));`,
  broken: `import './nowhere.mjs';\ntest('is never run', () => {});`,
  hanging: `test('hangs', () => new Promise(() => {}), 100);`,
  callback: `test('calls back', (done) => done());`,
  'hook-in-test': `test('adds a hook', () => afterAll(() => {}));`,
  'hook-fails': `beforeAll(() => Promise.reject(new Error('on purpose')));\ntest('is run all the same', () => {});`,
  leaver: `test('leaves', () => process.exit(0));`,
  cause: `test('has a cause', () => { throw new Error('outer', { cause: new Error('inner') }); });`,
};

/** Runs files with these bodies. @returns The exit code, and what was printed. */
function jest(
  names: readonly string[],
  ...args: string[]
): Promise<{ readonly code: unknown; readonly output: string }> {
  const files = names.map((name) => join(folder, `${name}.test.mjs`));
  names.forEach((name, index) => void writeFileSync(files[index] ?? '', bodies[name] ?? ''));
  const config = {
    rootDir: folder,
    testMatch: ['**/*.test.mjs'],
    transform: {},
    runner: [
      join(packageRoot, 'node_modules/jest-light-runner/src/index.js'),
      { runtime: 'child_process' },
    ],
    setupFilesAfterEnv: [join(packageRoot, 'test/jest/limits.js')],
    reporters: ['default', 'summary', join(packageRoot, 'test/jest/count.js')],
    maxWorkers: 2,
  };
  const bin = join(packageRoot, 'node_modules/jest/bin/jest.js');
  const preload = `--import=${pathToFileURL(join(packageRoot, 'test/jest/worker-data.js')).href}`;
  const flags = ['--config', JSON.stringify(config), '--runTestsByPath', ...files, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, [preload, bin, ...flags], { cwd: folder }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, output: out + err }),
    );
  });
}

const lastLine = (output: string): string | undefined => output.trimEnd().split('\n').at(-1);

describe('a run', () => {
  it('passes when all tests pass, and says how many on its last line', async () => {
    const { code, output } = await jest(['good']);
    expect([code, lastLine(output)]).toEqual([0, '1 passed, 0 failed']);
  });

  it.each([
    ['failing', /Received: 2|Expected: 2/, '1 passed, 1 failed'],
    ['broken', /Cannot find module .*nowhere\.mjs/, '1 passed, 1 failed'],
    ['hanging', /hangs: exceeded the limit of 100 ms/, '1 passed, 1 failed'],
    ['callback', /use a promise instead of a callback/, '1 passed, 1 failed'],
    ['hook-in-test', /hooks cannot be added while a test or a hook runs/, '1 passed, 1 failed'],
    ['hook-fails', /on purpose/, '2 passed, 1 failed'],
    ['leaver', /Worker exited unexpectedly/, '1 passed, 1 failed'],
    ['cause', /Error: outer[\s\S]*Caused by: Error: inner/, '1 passed, 1 failed'],
  ])('fails for a file that is %s, and runs the others', async (name, said, last) => {
    const { code, output } = await jest([name, 'good']);
    expect(output).toMatch(said);
    expect([code, lastLine(output)]).toEqual([1, last]);
  });

  it('fails when no test was run', async () => {
    const { code, output } = await jest(['good'], '--testNamePattern', 'nothing like it');
    expect([code, lastLine(output)]).toEqual([1, '0 passed, 0 failed, 1 skipped']);
  });
});
