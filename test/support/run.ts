/**
 * `npm test [-- FOLDER …]`: every test file, or those of some folders, in five processes at a time: half of a test is waiting, for a server to start or a page to load. What needs a program that npm doesn't bring is left out,
 * loudly, where the program is missing; in CI it must be there.
 */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { packageRoot } from '../../src/root.js';
import { globalSetup, globalTeardown } from './global.js';
import { groupsOf, writeGroups } from './groups.js';
import { isInstalled } from './installed.js';
import { followFiles } from './progress.js';
import { makeDirectory } from './seed.js';

const isBrowserTest = (file: string): boolean => file.endsWith('.browser.test.js');
const hasBrowser = isInstalled('chromium-headless-shell');
const folders = process.argv.slice(2);
const all = readdirSync(join(packageRoot, 'dist', 'test'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.test.js') && (folders.length === 0 || folders.some((folder) => file.startsWith(`${folder}/`))),
);
if (all.length === 0) throw new Error(`No tests in ${folders.join(', ')}.`);
const files = all.filter((file) => hasBrowser || !isBrowserTest(file)).sort();
if (files.length < all.length)
  process.stdout.write(`Left out ${all.length - files.length} files: they need Debian's chromium-headless-shell.\n`);

// Every group is a process that loads the application.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
await globalSetup();
const isLarge = process.env.FAULTS === 'large' || Number(process.env.FUZZ_REQUESTS) > 20_000;
// What hangs is a failure like any other.
const stream = run({
  files: writeGroups(groupsOf(files), makeDirectory('groups')),
  cwd: packageRoot,
  concurrency: 5,
  // Much garbage for a short life.
  execArgv: ['--max-semi-space-size=64'],
  ...(!isLarge && { timeout: 600_000 }),
});
const told = followFiles(stream, files);
stream.on('test:fail', () => {
  process.exitCode = 1;
});
stream.on('end', async () => {
  const { report, isComplete } = told();
  process.stdout.write(report);
  if (!isComplete) process.exitCode = 1;
  await globalTeardown();
});
stream.compose(spec).pipe(process.stdout);
