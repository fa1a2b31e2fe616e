/**
 * What we build on: named exactly, checked by its hash, allowed to run scripts by name, and under
 * licences that we can live with.
 */
import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import {
  describeLicences,
  isAllowed,
  licencesFile,
  readPackages,
} from '../../tools/supply/licences.js';

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly overrides?: Record<string, string>;
  readonly allowScripts?: Record<string, boolean>;
  readonly scripts?: Record<string, string>;
}
interface Bom {
  readonly bomFormat: string;
  readonly components: readonly { readonly name: string; readonly scope: string }[];
}
interface Locked extends Manifest {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
}

const read = (file: string): string => readFileSync(join(packageRoot, file), 'utf8');
const manifest: Manifest = JSON.parse(read('package.json'));
const lock: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));
/** What the registry provides: the root and its workspaces are our own. */
const locked = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);
const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? path;

describe('dependencies', () => {
  it('are named by one version each, in every package.json', () => {
    const files = execFileSync('git', ['ls-files', 'package.json', '*/package.json'], {
      cwd: packageRoot,
      encoding: 'utf8',
    }).split('\n');
    for (const file of files.filter(Boolean)) {
      const { dependencies, devDependencies, overrides } = JSON.parse(read(file)) as Manifest;
      for (const [name, version] of Object.entries({
        ...dependencies,
        ...devDependencies,
        ...overrides,
      }))
        expect([`${file}: ${name}`, version]).toStrictEqual([
          expect.any(String),
          expect.stringMatching(/^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/),
        ]);
    }
  });

  it('are those of the lock file', () => {
    const root = lock.packages[''];
    expect([root?.dependencies, root?.devDependencies]).toStrictEqual([
      manifest.dependencies,
      manifest.devDependencies,
    ]);
  });

  it('have a hash each, and come from the registry', () => {
    expect(locked.length).toBeGreaterThan(200);
    for (const [path, { integrity, resolved }] of locked) {
      expect([path, integrity ?? '']).toStrictEqual([path, expect.stringMatching(/^sha512-/)]);
      expect([path, resolved ?? 'https://registry.npmjs.org/']).toStrictEqual([
        path,
        expect.stringMatching(/^https:\/\/registry\.npmjs\.org\//),
      ]);
    }
  });

  it('run no script at their installation that package.json does not allow or forbid by name', () => {
    const withScript = new Set(
      locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path)),
    );
    expect(Object.keys(manifest.allowScripts ?? {}).sort()).toStrictEqual([...withScript].sort());
  });
});

describe('licences', () => {
  it('are all allowed', () =>
    expect(readPackages().filter((each) => !isAllowed(each))).toEqual([]));
  it('are listed in docs/licences.md: else run npm run licences', () =>
    expect(readFileSync(licencesFile, 'utf8')).toBe(describeLicences(readPackages())));

  for (const [licence, isTool, expected] of [
    ['MIT', false, true],
    ['(MIT AND BSD-3-Clause)', false, true],
    ['GPL-3.0 OR MIT', false, true],
    ['MPL-2.0', true, true],
    ['MPL-2.0', false, false],
    ['CC BY-SA 4.0', true, true],
    ['CC BY-SA 4.0', false, false],
    ['WTFPL', false, false],
    ['MIT AND GPL-3.0', true, false],
    ['AGPL-3.0', true, false],
    ['none stated', true, false],
    ['SEE LICENSE IN LICENSE', false, false],
  ] as const)
    it(`${licence} is ${expected ? '' : 'not '}allowed for what ${isTool ? 'builds' : 'runs'}`, () =>
      expect(isAllowed({ licence, isTool })).toBe(expected));
});

it('npm run sbom lists every package, as CycloneDX, and which of them only build and test', () => {
  const [command = '', ...args] = manifest.scripts?.sbom?.split(' ') ?? [];
  const options: ExecFileSyncOptions = {
    cwd: packageRoot,
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  };
  const { bomFormat, components } = JSON.parse(String(execFileSync(command, args, options))) as Bom;
  expect(bomFormat).toBe('CycloneDX');
  // Of a package that is there in several versions, what production installs.
  const scopes = new Map(
    components
      .toSorted((one, other) => one.scope.localeCompare(other.scope))
      .map(({ name, scope }) => [name, scope]),
  );
  for (const name of Object.keys(manifest.dependencies ?? {}))
    expect([name, scopes.get(name)]).toStrictEqual([name, 'required']);
  expect(scopes.get('playwright-core')).toBe('optional');
});
