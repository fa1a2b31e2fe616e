/**
 * Builds what `npm start` serves, if a source has changed since the last time: so that a restart
 * does not wait for compilers. A change is another path, size or time of modification.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sources = ['package-lock.json', 'tsconfig.json', '{src,dashboard,explorer}/**/*.*'];
const outputs = ['dist/src/main.js', 'dist/browser'];
const stamp = 'dist/sources.sha256';

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of globSync(sources).sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** @returns The exit code. */
function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  return status ?? 1;
}

// Before the build: a change during it is built the next time.
const now = fingerprint();
const isBuilt =
  outputs.every((path) => existsSync(path)) &&
  existsSync(stamp) &&
  readFileSync(stamp, 'utf8') === now;
if (!isBuilt) {
  process.exitCode =
    run(join('node_modules', 'typescript', 'bin', 'tsc')) || run(join('dashboard', 'build.mjs'));
  if (process.exitCode === 0) {
    mkdirSync('dist', { recursive: true });
    writeFileSync(stamp, now);
  }
}
