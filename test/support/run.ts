/** `npm test [-- FOLDER …]`: every test file, or those of some folders, two at a time. What needs a program that npm doesn't bring is left out, loudly, where the program is missing; in CI it must be there. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import { isInstalled } from './installed.js';

const isBrowserTest = (file: string): boolean => file.endsWith('.browser.test.js');
const hasBrowser = isInstalled('chromium');
const folders = process.argv.slice(2);
const all = readdirSync(join(packageRoot, 'dist', 'test'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.test.js') && (folders.length === 0 || folders.some((folder) => file.startsWith(`${folder}/`))),
);
if (all.length === 0) throw new Error(`No tests in ${folders.join(', ')}.`);
const files = all.filter((file) => hasBrowser || !isBrowserTest(file)).sort();
if (files.length < all.length) process.stdout.write(`Left out ${all.length - files.length} files: they need Debian's chromium.\n`);

const isLarge = process.env.FAULTS === 'large' || process.env.FUZZ_REQUESTS !== undefined;
// What hangs is a failure like any other.
const patience = isLarge ? [] : ['--test-timeout=600000'];
const reporters = ['spec', './dist/test/support/slowest.js'].flatMap((each) => [
  `--test-reporter=${each}`,
  '--test-reporter-destination=stdout',
]);
const flags = ['--test', '--test-concurrency=2', ...patience, ...reporters, '--test-global-setup=dist/test/support/global.js'];
const runner = spawn(process.execPath, [...flags, ...files.map((file) => join('dist', 'test', file))], {
  stdio: 'inherit',
  cwd: packageRoot,
  // Every file is a process that loads the application.
  env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...process.env },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal));
runner.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
