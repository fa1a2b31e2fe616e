/**
 * The packages as their users get them: packed, installed in an empty project, compiled with every
 * declaration checked, and run.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';
import { managerEmail, skylineId } from '../support/names.js';

const name = '@lanyard/client';
const folder = join(packageRoot, 'clients/typescript');
const project = mkdtempSync(join(tmpdir(), 'lanyard-package-'));
afterAll(() => rmSync(project, { recursive: true }));
const installed = join(project, 'node_modules', name);
const app = await startApp();

const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('npm_'))),
  ...{ LANYARD_URL: app.base, ORGANIZATION: skylineId, TOKEN: await app.token(managerEmail) },
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
};

/** Runs a program without the settings of the npm that runs the tests. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd: project, env: environment });
  return stdout;
}

beforeAll(async () => {
  // Compiled before the tests; a second compilation would disturb tests that run now.
  const packed = await run('npm', ['pack', '--silent', '--ignore-scripts', folder]);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  await run('npm', ['install', '--silent', '--prefer-offline', '--no-audit', `./${packed.trim()}`]);
  for (const example of readdirSync(join(installed, 'examples')))
    cpSync(join(installed, 'examples', example), join(project, example));
});

const readManifest = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

test('the package has what a registry shows and a user looks for', () => {
  const manifest = readManifest(installed);
  for (const property of ['description', 'homepage', 'bugs', 'repository', 'license', 'engines'])
    expect([property, manifest[property]]).toStrictEqual([property, expect.anything()]);
  expect(manifest.keywords.length).toBeGreaterThan(3);
  expect(readdirSync(installed).sort()).toStrictEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'examples',
    'package.json',
    'src',
  ]);
  const license = (path: string) => readFileSync(join(path, 'LICENSE'), 'utf8');
  expect(license(installed)).toBe(license(packageRoot));
  expect(readFileSync(join(installed, 'CHANGELOG.md'), 'utf8')).toContain(
    `## ${manifest.version}\n`,
  );
});

test('source maps lead to sources that are in the package', () => {
  const maps = readdirSync(join(installed, 'dist')).filter((file) => file.endsWith('.map'));
  expect(maps.length).toBeGreaterThan(10);
  for (const file of maps) {
    const { sources } = JSON.parse(readFileSync(join(installed, 'dist', file), 'utf8'));
    for (const source of sources) readFileSync(join(installed, 'dist', source));
  }
});

const compilers = {
  'TypeScript 7': join(packageRoot, 'node_modules/typescript'),
  'TypeScript 5.9': join(folder, 'node_modules/typescript'),
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
      const isNode = setting.module === 'nodenext';
      const compilerOptions = {
        ...{ target: 'es2022', strict: true, noEmit: true, skipLibCheck: false },
        ...{
          exactOptionalPropertyTypes: true,
          typeRoots: [join(packageRoot, 'node_modules/@types')],
        },
        ...setting,
      };
      const text = "import { createLanyard } from '@lanyard/client';\nexport { createLanyard };\n";
      writeFileSync(join(project, 'browser.ts'), text);
      const include = isNode ? ['certifications.ts', 'create.ts', 'mirror.ts'] : ['browser.ts'];
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
      expect(await run(process.execPath, [join(path, 'bin/tsc'), '-p', project])).toBe('');
    });
  }
}

test('an example runs as it is, and package.json can be imported', async () => {
  expect(await run('node', ['certifications.ts'])).toMatch(/^.+ ended on \d{4}-\d\d-\d\d$/m);
  const program = `import manifest from '${name}/package.json' with { type: 'json' }; console.log(manifest.version)`;
  expect(await run('node', ['--input-type=module', '--eval', program])).toBe(
    `${readManifest(packageRoot).version}\n`,
  );
});
