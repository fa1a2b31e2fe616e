/**
 * Shows that the tests of tenancy and of the audit can fail: plants one hole at a time in a copy of what is compiled, and expects the tests to see it.
 * Run it with `node dist/test/security/planted.js run`; with the name of a hole after that, for this one alone. It takes some minutes.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import { type Hole, holes } from './holes.js';

function expectSeen(name: string, { file, text, instead, seenBy }: Hole, copy: string): boolean {
  const path = join(copy, 'dist', 'src', file);
  const original = readFileSync(path, 'utf8');
  if (original.split(text).length !== 2) throw new Error(`${file} has not exactly one ${text}`);
  writeFileSync(
    path,
    original.replace(text, () => instead),
  );
  const flags = ['--test', '--test-timeout=120000', '--test-global-setup=dist/test/support/global.js'];
  const { status } = spawnSync(process.execPath, [...flags, join('dist', 'test', 'security', seenBy)], { cwd: copy, timeout: 600_000 });
  writeFileSync(path, original);
  process.stdout.write(`${status === 1 ? 'seen  ' : 'UNSEEN'} ${name} (${seenBy})\n`);
  return status === 1;
}

function plantAll(only: string | undefined): void {
  const copy = mkdtempSync(join(tmpdir(), 'lanyard-planted-'));
  try {
    for (const part of ['dist', 'schema', 'public', 'package.json']) cpSync(join(packageRoot, part), join(copy, part), { recursive: true });
    symlinkSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'));
    const chosen = Object.entries(holes).filter(([name]) => only === undefined || name === only);
    const unseen = chosen.filter(([name, each]) => !expectSeen(name, each, copy));
    process.exitCode = unseen.length > 0 || chosen.length === 0 ? 1 : 0;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

// Test runners load whatever lies in this folder.
if (process.argv[2] === 'run') plantAll(process.argv[3]);
