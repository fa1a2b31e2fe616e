/** The guide is followed to the letter in a copy of the checkout: what it says compiles, passes the linter, and serves the new resource. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/root.js';
import { apply, blocksOf } from './blocks.js';

const copy = mkdtempSync(join(tmpdir(), 'lanyard-guide-'));
after(() => rmSync(copy, { recursive: true, force: true }));

const page = readFileSync(join(packageRoot, 'docs', 'add-a-resource.md'), 'utf8');
const blocks = blocksOf(page);

/** Runs a program in the copy. It makes its own PostgreSQL: the template of this run's is without the resource. */
async function run(program: string, ...args: string[]): Promise<string> {
  const { LANYARD_TEST_POSTGRES, NODE_TEST_CONTEXT, ...env } = process.env;
  try {
    return (await promisify(execFile)(program, args, { cwd: copy, env, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return assert.fail(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`);
  }
}

const bin = (name: string): string => join('node_modules', '.bin', name);

/**
 * @param whole Files that are run in one process. Their suites are named `whole`, for the pattern to take all that is in them.
 * @param walks Files that walk the schema: run is what is about sites or about all at once, since the rest is tested where it is at home.
 */
function tests(whole: readonly string[], walks: readonly string[]): Promise<string> {
  const pathOf = (file: string): string => join(copy, 'dist', 'test', `${file}.test.js`);
  const entry = join(copy, 'dist', 'guide.js');
  const suites = Object.fromEntries(whole.map((file) => [`whole ${file}`, pathOf(file)]));
  writeFileSync(entry, `import { runFiles } from './test/support/group.js';\nawait runFiles(${JSON.stringify(suites)});\n`);
  return run(
    process.execPath,
    ...['--test', '--test-concurrency=1', '--test-reporter=tap', '--test-global-setup=dist/test/support/global.js'],
    ...['--test-name-pattern=/^whole|sites?\\b|routes$|every query|no query|by any of it/i', entry, ...walks.map(pathOf)],
  );
}

before(() => {
  // With what was compiled already: what the guide doesn't touch isn't compiled again.
  const left = new Set(['node_modules', 'data', '.git']);
  cpSync(packageRoot, copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'));
});

describe('docs/add-a-resource.md', () => {
  it('has eight steps', () => assert.deepEqual(page.match(/(?<=^## )\d/gm), ['1', '2', '3', '4', '5', '6', '7', '8']));

  it('names the file of all code but the last commands', () => {
    const fences = page.match(/^```\w+$/gm) ?? [];
    assert.deepEqual([fences.length, fences.at(-1)], [blocks.length + 1, '```sh']);
  });

  it('applies, compiles, and is as the linter wants it', async () => {
    for (const block of blocks) {
      const path = join(copy, block.path);
      const text = apply(block, existsSync(path) ? readFileSync(path, 'utf8') : undefined);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    await run(bin('tsc'));
    await run(bin('biome'), 'check', '--vcs-enabled=false', ...new Set(blocks.map(({ path }) => path)));
  });

  it('is generated into both schemas', async () => {
    await run(process.execPath, 'dist/src/main.js', 'generate');
    assert.match(readFileSync(join(copy, 'schema', 'schema.graphql'), 'utf8'), /createSite\(/);
    assert.match(readFileSync(join(copy, 'schema', 'openapi.json'), 'utf8'), /organizations\/\{organization_id\}\/sites\/\{site_id\}"/);
  });

  it('passes its own tests, and those that every resource must pass', async () => {
    const output = await tests(
      ['rest/sites', 'architecture', 'database/entities', 'rest/openapi'],
      ['rest/walk', 'security/tenancy/graphql', 'security/audit/mutations'],
    );
    for (const test of [
      'a create with a key makes one site',
      'there are 31 routes',
      'createSite: what exists elsewhere is as what does not exist',
      'updateSite',
    ])
      assert.match(output, new RegExp(`^ *ok \\d+ - ${test}`, 'm'));
    assert.match(output, /^# fail 0$/m);
  });
});
