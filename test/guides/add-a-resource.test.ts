/**
 * The guide is followed to the letter in a copy of the checkout: what it says compiles, passes the
 * linter, and serves the new resource.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/root.js';
import { fail } from '../support/expect.js';
import { apply, blocksOf } from './blocks.js';

const copy = mkdtempSync(join(tmpdir(), 'lanyard-guide-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const minutes = 60_000;
const page = readFileSync(join(packageRoot, 'docs', 'add-a-resource.md'), 'utf8');
const blocks = blocksOf(page);

/**
 * Runs a program in the copy. It makes its own PostgreSQL: the template of this run's is without
 * the resource.
 */
async function run(program: string, ...args: string[]): Promise<string> {
  const { LANYARD_TEST_POSTGRES, ...outer } = process.env;
  // The step before has compiled.
  const env = { ...outer, LANYARD_IS_BUILT: '1' };
  try {
    return (await promisify(execFile)(program, args, { cwd: copy, env, maxBuffer: 2 ** 26 }))
      .stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return fail(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`);
  }
}

const bin = (name: string): string => join('node_modules', '.bin', name);

interface Outcome {
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/** Runs test files of the copy. @returns The titles of the tests that passed. */
async function passed(...args: readonly string[]): Promise<string[]> {
  const file = join(copy, 'dist', 'outcome.json');
  await run(
    process.execPath,
    join('node_modules', 'jest', 'bin', 'jest.js'),
    '--json',
    `--outputFile=${file}`,
    ...args,
  );
  const { numFailedTests, numRuntimeErrorTestSuites, testResults }: Outcome = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  expect([numFailedTests, numRuntimeErrorTestSuites]).toEqual([0, 0]);
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.flatMap(({ title, status }) => (status === 'passed' ? [title] : [])),
  );
}

beforeAll(() => {
  // With what was compiled already: what the guide doesn't touch isn't compiled again.
  const left = new Set(['node_modules', 'data', '.git']);
  cpSync(packageRoot, copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'));
});

describe('docs/add-a-resource.md', () => {
  it('has eight steps', () =>
    expect(page.match(/(?<=^## )\d/gm)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']));

  it('names the file of all code but the last commands', () => {
    const fences = page.match(/^```\w+$/gm) ?? [];
    expect([fences.length, fences.at(-1)]).toStrictEqual([blocks.length + 1, '```sh']);
  });

  it(
    'applies, compiles, and is as the linter wants it',
    async () => {
      for (const block of blocks) {
        const path = join(copy, block.path);
        const text = apply(block, existsSync(path) ? readFileSync(path, 'utf8') : undefined);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      await run(bin('tsc'));
      await run(
        bin('biome'),
        'check',
        '--vcs-enabled=false',
        ...new Set(blocks.map(({ path }) => path)),
      );
    },
    10 * minutes,
  );

  it('is generated into both schemas', async () => {
    await run(process.execPath, 'dist/src/main.js', 'generate');
    expect(readFileSync(join(copy, 'schema', 'schema.graphql'), 'utf8')).toMatch(/createSite\(/);
    expect(readFileSync(join(copy, 'schema', 'openapi.json'), 'utf8')).toMatch(
      /organizations\/\{organization_id\}\/sites\/\{site_id\}"/,
    );
  });

  it(
    'passes its own tests, and those that every resource must pass',
    async () => {
      const whole = await passed(
        'test/rest/sites',
        'test/architecture',
        'test/database/entities',
        'test/entities/columns',
        'test/rest/openapi',
      );
      // Of what walks the schema, the tests about sites or about all at once: the rest is tested
      // where it is at home.
      const walks = [
        'test/rest/walk.test',
        'test/security/tenancy/graphql',
        'test/security/audit/mutations',
      ];
      const walked = await passed(
        ...walks,
        '--testNamePattern',
        'sites?\\b|routes$|every query|no query|by any of it',
      );
      expect(whole).toContain('a create with a key makes one site, which Location finds');
      expect(walked).toContain('there are 31 routes');
      expect(walked).toContain('createSite: what exists elsewhere is as what does not exist');
      expect(walked.some((title) => title.startsWith('updateSite'))).toBe(true);
    },
    10 * minutes,
  );
});
