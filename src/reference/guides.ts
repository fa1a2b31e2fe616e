/** The guides: Markdown pages of the repository, in the order of their navigation. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../root.js';

export interface Guide {
  /** The last part of its path. */
  readonly name: string;
  /** Its file in the repository: `docs/sync.md`. */
  readonly file: string;
  /** The path of the page; its Markdown is at the same path with `.md`. */
  readonly path: string;
  readonly title: string;
  /** The heading of its audience. */
  readonly group: string;
}

const groups: Readonly<Record<string, readonly string[]>> = {
  'Start here': ['quickstart', 'concepts', 'authentication'],
  'Use the API': [
    'api',
    'access',
    'lists',
    'domain',
    'errors',
    'sync',
    'changes',
    'idempotency',
    'graphql',
    'dashboards',
    'client',
    'python-client',
    'graphql-client',
  ],
  'Run a server': [
    'deployment',
    'operations',
    'monitoring',
    'scaling',
    'security',
    'reporting',
    'cli',
  ],
  Releases: ['changelog'],
};
/** Guides outside of docs/. */
const elsewhere: Readonly<Record<string, string>> = {
  changelog: 'CHANGELOG.md',
  client: 'clients/typescript/README.md',
  'graphql-client': 'clients/graphql/README.md',
  'python-client': 'clients/python/README.md',
  reporting: 'SECURITY.md',
};
/** The group of pages without one. */
const others = 'Work on Lanyard';

const folder = join(packageRoot, 'docs');
const fileOf = (name: string): string => elsewhere[name] ?? `docs/${name}.md`;

/** The Markdown of a guide. */
export const readGuide = (name: string): string =>
  readFileSync(join(packageRoot, fileOf(name)), 'utf8');

/** The text of an image in docs/, by its name without `.svg`. */
export const readImage = (name: string): string =>
  readFileSync(join(folder, 'images', `${name}.svg`), 'utf8');

/** Other files that the guides link to, served as text, by their path in the repository. */
export const files: readonly string[] = [
  'schema/schema.graphql',
  '.env.example',
  'clients/python/examples/create.py',
  'clients/python/examples/mirror.py',
];

export const filePath = (file: string): string => `/docs/files/${file}`;

export const readFile = (file: string): string => readFileSync(join(packageRoot, file), 'utf8');

/** Images of the guides. */
export const images: readonly string[] = ['concepts'];

/** Every page of docs/, and those elsewhere. */
export function listGuides(): Guide[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  const all = files.map((file) => file.slice(0, -3)).sort();
  const ordered = Object.entries(groups).flatMap(([group, names]) =>
    names.map((name) => ({ group, name })),
  );
  const named = new Set(ordered.map(({ name }) => name));
  return [
    ...ordered,
    ...all.filter((name) => !named.has(name)).map((name) => ({ group: others, name })),
  ]
    .filter(({ name }) => existsSync(join(packageRoot, fileOf(name))))
    .map(({ name, group }) => ({
      name,
      file: fileOf(name),
      group,
      path: `/docs/${name}`,
      title: /^# (.+)$/m.exec(readGuide(name))?.[1] ?? name,
    }));
}
