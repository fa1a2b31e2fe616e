/**
 * Shows that the tests of tenancy, of the audit and of generated requests can fail: plants one hole
 * at a time in a copy of what is compiled, and expects the tests to see it: `npm run test:planted`,
 * for all, or `npm run test:planted -- NAME`, for those whose name or test begins so.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import { faults } from './generated/faults.js';
import { type Hole, holes } from './holes.js';

/** @returns Whether the tests pass, and what they said. */
function run(tests: string, copy: string): { readonly isPassed: boolean; readonly said: string } {
  const jest = join('node_modules', 'jest', 'bin', 'jest.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [jest, '--runTestsByPath', join('test', 'security', tests)],
    {
      cwd: copy,
      timeout: 600_000,
      // What generated requests must see, they see within some thousands.
      env: { FUZZ_REQUESTS: '4000', ...process.env },
      encoding: 'utf8',
    },
  );
  return { isPassed: status === 0, said: stdout + stderr };
}

function isSeen({ file, text, instead, seenBy, says = '' }: Hole, copy: string): boolean {
  const path = join(copy, 'dist', 'src', file);
  const original = readFileSync(path, 'utf8');
  if (original.split(text).length !== 2) throw new Error(`${file} has not exactly one ${text}`);
  writeFileSync(
    path,
    original.replace(text, () => instead),
  );
  const { isPassed, said } = run(seenBy, copy);
  writeFileSync(path, original);
  return !isPassed && said.includes(says);
}

function plantAll(only: string): void {
  const copy = mkdtempSync(join(tmpdir(), 'lanyard-planted-'));
  try {
    for (const part of [
      'dist',
      'src',
      'test',
      'schema',
      'public',
      'docs',
      'package.json',
      'jest.config.js',
    ])
      cpSync(join(packageRoot, part), join(copy, part), { recursive: true });
    symlinkSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'));
    const chosen = Object.entries({ ...holes, ...faults }).filter(([name, { seenBy }]) =>
      [name, seenBy].some((each) => each.startsWith(only)),
    );
    // A test that fails without a hole sees none.
    for (const tests of new Set(chosen.map(([, { seenBy }]) => seenBy))) {
      const { isPassed, said } = run(tests, copy);
      if (!isPassed) throw new Error(`${tests} fails without a hole:\n${said}`);
    }
    const unseen = chosen.filter(([name, each]) => {
      const found = isSeen(each, copy);
      process.stdout.write(`${found ? 'seen  ' : 'UNSEEN'} ${name} (${each.seenBy})\n`);
      return !found;
    });
    process.exitCode = unseen.length > 0 || chosen.length === 0 ? 1 : 0;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

// Test runners load whatever lies in this folder.
if (process.argv[2] === 'run') plantAll(process.argv[3] ?? '');
