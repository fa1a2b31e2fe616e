/**
 * `npm run test:upgrade [-- WORD …]`: runs the tests of the last release, with its own code, on a
 * database that the current migrations have upgraded, as its processes do during a rollout. The
 * words select test files by path.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect } from '../../src/database/connect.js';
import { startEmbedded } from '../../src/database/embedded.js';
import { migrate, migrations } from '../../src/database/migrate.js';
import { entities } from '../../src/entities/tables.js';
import { packageRoot } from '../../src/root.js';
import { lastRelease } from '../release/tags.js';

/** Tests of the schema or the source, which say nothing about an old process on a new schema. */
const elsewhere =
  /^(upgrade\/|architecture\.test|database\/(entities|history|migrate)\.test|docs\/|security\/(docs|supply|secrets\/repository))/;

const words = process.argv.slice(2);
const tag = lastRelease();
if (tag) process.exitCode = await testRelease(tag);
else
  process.stdout.write(
    'There is no release yet (no tag like v0.1.0 before this commit): nothing has to work on the schema of now.\n',
  );

async function testRelease(release: string): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'lanyard-upgrade-'));
  const tree = join(directory, 'tree');
  const server = await startEmbedded(join(directory, 'postgres'), {
    durable: false,
    settings: { max_connections: 200 },
  });
  try {
    build(release, tree);
    const env = { ...process.env, LANYARD_TEST_POSTGRES: server.url };
    // The data of the release, in its schema; then the upgrade.
    const template = pathToFileURL(join(tree, 'dist/test/support/template.js')).href;
    const prepare = `await (await import(${JSON.stringify(template)})).prepareTemplate(process.env.LANYARD_TEST_POSTGRES)`;
    execFileSync(process.execPath, ['--input-type=module', '-e', prepare], {
      cwd: tree,
      env,
      stdio: 'inherit',
    });
    const done = await upgrade(server.url);
    process.stdout.write(
      `The tests of ${release} run on its schema after ${done.length} migrations: ${done.join(', ') || 'none'}.\n`,
    );
    const jest = join('node_modules', 'jest', 'bin', 'jest.js');
    const { status } = spawnSync(
      process.execPath,
      [jest, '--maxWorkers=2', '--runTestsByPath', ...testsOf(tree)],
      {
        cwd: tree,
        env: { ...env, LANYARD_TEST_TEMPLATE: 'ready' },
        stdio: 'inherit',
      },
    );
    return status ?? 1;
  } finally {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A clone, because a worktree would remain in the repository after a crash. */
function build(release: string, tree: string): void {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] });
  const clone = ['clone', '--quiet', '--shared', '--branch', release, packageRoot, tree];
  execFileSync('git', ['-c', 'advice.detachedHead=false', ...clone], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lock(tree) === lock(packageRoot))
    symlinkSync(join(packageRoot, 'node_modules'), join(tree, 'node_modules'));
  else run('npm', 'ci', '--no-audit', '--no-fund');
  run('npm', 'run', '--silent', 'build');
}

/** @returns The names of the migrations that the release lacked. */
async function upgrade(serverUrl: string): Promise<string[]> {
  const url = new URL(serverUrl);
  url.pathname = '/lanyard_template';
  const orm = await connect(url.href, { poolSize: 3, entities, migrations, timeLimits: false });
  try {
    return await migrate(orm);
  } finally {
    await orm.close();
  }
}

function testsOf(tree: string): string[] {
  const all = readdirSync(join(tree, 'test'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.test.ts'),
  );
  const chosen = all.filter(
    (file) =>
      !elsewhere.test(file) && (words.length === 0 || words.some((word) => file.includes(word))),
  );
  if (chosen.length === 0) throw new Error('No test file matches.');
  return chosen.sort().map((file) => join('test', file));
}
