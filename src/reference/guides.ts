/** The guides: the Markdown pages of docs/, in the order of their navigation. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../root.js';

export interface Guide {
  /** Its file in docs/, without `.md`. */
  readonly name: string;
  /** Where the page is served; its Markdown is at the same path with `.md`. */
  readonly path: string;
  readonly title: string;
  /** Whom it is for. */
  readonly group: string;
}

const groups: Readonly<Record<string, readonly string[]>> = {
  'Start here': ['quickstart', 'authentication'],
  'Use the API': ['api', 'errors', 'sync', 'changes', 'idempotency', 'dashboards'],
  'Run a server': ['deployment', 'operations', 'monitoring', 'scaling', 'security', 'cli'],
};
/** Of a page that no group names. */
const others = 'Work on Lanyard';

const folder = join(packageRoot, 'docs');

/** The Markdown of a guide. */
export const readGuide = (name: string): string => readFileSync(join(folder, `${name}.md`), 'utf8');

/** Every page of docs/. */
export function listGuides(): Guide[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  const all = files.map((file) => file.slice(0, -3)).sort();
  const ordered = Object.entries(groups).flatMap(([group, names]) => names.map((name) => ({ group, name })));
  const named = new Set(ordered.map(({ name }) => name));
  return [...ordered, ...all.filter((name) => !named.has(name)).map((name) => ({ group: others, name }))]
    .filter(({ name }) => existsSync(join(folder, `${name}.md`)))
    .map(({ name, group }) => ({ name, group, path: `/docs/${name}`, title: /^# (.+)$/m.exec(readGuide(name))?.[1] ?? name }));
}
