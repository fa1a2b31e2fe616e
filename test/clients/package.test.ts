/**
 * The packages as their users get them: packed, installed in an empty project, compiled with every
 * declaration checked, and run.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { writeOperations } from '../../src/cli/generate/operations.js';
import { schema } from '../../src/graph/schema.js';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';
import { fail } from '../support/expect.js';
import { blocksOf } from '../support/markdown.js';
import { managerEmail, skylineId } from '../support/names.js';

/** What each package is tried with: a program that runs, and what it prints. */
const packages = {
  '@lanyard/client': {
    folder: join(packageRoot, 'clients/typescript'),
    export: 'createLanyard',
    program: 'certifications.ts',
    printed: /^.+ ended on \d{4}-\d\d-\d\d$/m,
  },
  '@lanyard/graphql': {
    folder: join(packageRoot, 'clients/graphql'),
    export: 'createLanyardGraphQL',
    program: 'forecast.ts',
    printed: /^.+ loses .+ on \d{4}-\d\d-\d\d$/m,
  },
};
const names = Object.keys(packages) as (keyof typeof packages)[];
const project = mkdtempSync(join(tmpdir(), 'lanyard-package-'));
afterAll(() => rmSync(project, { recursive: true }));
const installed = (name: string) => join(project, 'node_modules', name);
const app = await startApp();

const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('npm_'))),
  ...{ BASE: app.base, ORGANIZATION: skylineId, TOKEN: await app.token(managerEmail) },
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
};

/** Runs a program without the settings of the npm that runs the tests. */
async function run(program: string, args: readonly string[], more = {}): Promise<string> {
  const env = { ...environment, ...more };
  try {
    return (await promisify(execFile)(program, args, { cwd: project, env })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return fail(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`);
  }
}

beforeAll(async () => {
  // Compiled before the tests; a second compilation would disturb tests that run now.
  const folders = names.map((name) => packages[name].folder);
  const packed = await run('npm', ['pack', '--silent', '--ignore-scripts', ...folders]);
  const files = packed.trim().split('\n');
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  const settings = ['--silent', '--prefer-offline', '--no-audit'];
  await run('npm', ['install', ...settings, ...files.map((file) => `./${file}`)]);
  for (const name of names) cpSync(join(installed(name), 'examples'), project, { recursive: true });
});

const readManifest = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

describe.each(names)('%s', (name) => {
  test('has what a registry shows and a user looks for', () => {
    const manifest = readManifest(installed(name));
    for (const property of ['description', 'homepage', 'bugs', 'repository', 'license', 'engines'])
      expect([property, manifest[property]]).toStrictEqual([property, expect.anything()]);
    expect(manifest.keywords.length).toBeGreaterThan(3);
    expect(readdirSync(installed(name)).sort()).toStrictEqual(
      ['LICENSE', 'README.md', 'package.json', ...manifest.files].sort(),
    );
    const license = (path: string) => readFileSync(join(path, 'LICENSE'), 'utf8');
    expect(license(installed(name))).toBe(license(packageRoot));
    expect(readFileSync(join(installed(name), 'CHANGELOG.md'), 'utf8')).toContain(
      `## ${manifest.version}\n`,
    );
  });

  test('has source maps that lead to sources in the package', () => {
    const dist = join(installed(name), 'dist');
    const maps = readdirSync(dist).filter((file) => file.endsWith('.map'));
    expect(maps.length).toBeGreaterThan(10);
    for (const file of maps) {
      const { sources } = JSON.parse(readFileSync(join(dist, file), 'utf8'));
      for (const source of sources) readFileSync(join(dist, source));
    }
  });

  test('has the program of its README as an example, which runs', async () => {
    const { program, printed } = packages[name];
    const [block, command] = blocksOf(readFileSync(join(installed(name), 'README.md'), 'utf8'));
    expect(block?.text).toBe(readFileSync(join(project, program), 'utf8'));
    expect(command).toMatchObject({ language: 'sh', text: expect.stringContaining(program) });
    expect(await run('sh', ['-c', command?.text ?? ''])).toMatch(printed);
  });

  test('lets programs import its package.json', async () => {
    const program = `import manifest from '${name}/package.json' with { type: 'json' }; console.log(manifest.version)`;
    expect(await run('node', ['--input-type=module', '--eval', program])).toBe(
      `${readManifest(packageRoot).version}\n`,
    );
  });
});

/**
 * The React example as a copy of the installed package, with the packages that its package.json
 * names from those of the tests.
 */
describe('the React example', () => {
  const example = join(project, 'react');
  const { dependencies, devDependencies } = readManifest(
    join(packages['@lanyard/graphql'].folder, 'examples/react'),
  );
  const needed = Object.entries<string>({ ...dependencies, ...devDependencies });

  test('names the versions that the tests use', () => {
    for (const [name, version] of needed)
      expect([name, version]).toStrictEqual([
        name,
        readManifest(join(packageRoot, 'node_modules', name)).version,
      ]);
  });

  test('is built by its own command, with every declaration checked', async () => {
    const modules = join(example, 'node_modules');
    for (const [name] of needed.filter(([each]) => !each.startsWith('@lanyard/'))) {
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(join(packageRoot, 'node_modules', name), join(modules, name));
    }
    const printed = await run('npm', ['run', '--silent', '--prefix', example, 'build'], {
      PATH: `${join(packageRoot, 'node_modules/.bin')}:${environment.PATH}`,
    });
    expect(printed).toBe('');
    expect(readdirSync(join(example, 'dist')).sort()).toStrictEqual([
      'index.html',
      'main.css',
      'main.js',
    ]);
  });

  test('has operations whose types are those of the schema', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(example, 'src/operations.ts')],
      ...{ bundle: true, write: false, format: 'esm' },
    });
    const own = await import(
      `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`
    );
    const operations = Object.entries<{ name: string; text: string }>(own).filter(
      ([, value]) => typeof value === 'object',
    );
    expect(operations.map(([key, { name }]) => [key, name])).toStrictEqual([
      ['Account', 'Account'],
      ['Expiring', 'Expiring'],
      ['JobRoles', 'JobRoles'],
    ]);
    const text = operations.map(([, { text }]) => text).join('\n');
    const origin = { files: 'the example', module: '@lanyard/graphql' };
    writeFileSync(join(example, 'src/made.ts'), writeOperations(schema, text, origin));
    const comparisons = operations.map(
      ([name]) =>
        `own.${name} satisfies typeof made.${name};\nmade.${name} satisfies typeof own.${name};\n`,
    );
    writeFileSync(
      join(example, 'src/compare.ts'),
      `import * as made from './made.js';\nimport * as own from './operations.js';\n${comparisons.join('')}`,
    );
    const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
    expect(await run(process.execPath, [tsc, '-p', example])).toBe('');
  });
});

const compilers = {
  'TypeScript 7': join(packageRoot, 'node_modules/typescript'),
  'TypeScript 5.9': join(packages['@lanyard/client'].folder, 'node_modules/typescript'),
};
const settings = {
  'Node.js without the DOM': { module: 'nodenext', lib: ['es2023'], types: ['node'] },
  'a bundler': {
    ...{ module: 'esnext', moduleResolution: 'bundler', types: [] },
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  },
};
for (const [compiler, path] of Object.entries(compilers)) {
  for (const [place, setting] of Object.entries(settings)) {
    test(`${compiler} compiles the examples for ${place}, with every declaration checked`, async () => {
      const examples = readdirSync(project).filter(
        (file) => file !== 'browser.ts' && file.endsWith('.ts'),
      );
      const isNode = setting.module === 'nodenext';
      const compilerOptions = {
        ...{ target: 'es2022', strict: true, noEmit: true, skipLibCheck: false },
        ...{
          exactOptionalPropertyTypes: true,
          typeRoots: [join(packageRoot, 'node_modules/@types')],
        },
        ...setting,
      };
      const exports = names.map((name) => `export { ${packages[name].export} } from '${name}';\n`);
      writeFileSync(join(project, 'browser.ts'), exports.join(''));
      const include = isNode ? examples : ['browser.ts'];
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
      expect(await run(process.execPath, [join(path, 'bin/tsc'), '-p', project])).toBe('');
    });
  }
}
