/** Before the first test: compiles what changed and starts the PostgreSQL for all test files. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const preload = new URL('./worker-data.js', import.meta.url).href;
const flags = [
  '--throw-deprecation',
  '--max-old-space-size=640',
  '--max-semi-space-size=32',
  `--import=${preload}`,
];

export default async function setUp() {
  // `npm test` has compiled already, and so has the copy with planted faults, which has no
  // tsconfig.json.
  if (!process.env.LANYARD_IS_BUILT && existsSync(join(root, 'tsconfig.json'))) {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    for (const project of ['.', 'clients/typescript', 'clients/graphql']) {
      const args = [compiler, '-p', project];
      const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
      if (status !== 0) throw new Error('The tests do not compile.');
    }
  }
  // Worker processes inherit these flags. Modules of test files are never unloaded, so a worker
  // collects garbage before it takes a gigabyte.
  if (!process.execArgv.includes(flags[0])) process.execArgv.push(...flags);
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
  const { globalSetup } = await import('../../dist/test/support/global.js');
  await globalSetup();
}
