/** Which test files share a process. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/root.js';

const tests = resolve(packageRoot, 'dist', 'test');

/** Files of a group: so many that what they share hardly counts any more, so few that a group is soon done. */
const largest = 16;

/** Files that wait for browsers, or for servers in processes of their own: they take about twice as long as others. */
const isLong = (file: string): boolean => /^(faults|security|standby)\/|\.browser\./.test(file);

export interface Group {
  readonly name: string;
  /** Paths below dist/test. */
  readonly files: readonly string[];
}

/**
 * The files of a folder share a process; a large folder has several, and folders with few files have one together. A file beside the folders takes long, and
 * has one of its own; so has what changes its process for good (`*.alone.test.js`).
 * @returns What takes longest first, so that what runs at the same time ends at about the same time.
 */
export function groupsOf(files: readonly string[]): Group[] {
  const isAlone = (file: string) => file.endsWith('.alone.test.js') || !file.includes('/');
  const folders = Object.groupBy(files, (file) => (isAlone(file) ? file : (file.split('/')[0] ?? '')));
  const all = Object.entries(folders).map(([folder, own = []]): Group => ({ name: folder.replace(/(\.test)?\.js$/, ''), files: own }));
  const isSmall = (group: Group) => group.files.length < largest / 2 && !group.files.some(isAlone);
  const groups = [...all.filter((group) => !isSmall(group)).flatMap(portionsOf), ...all.filter(isSmall).reduce(join, [])];
  return groups.sort((one, other) => weightOf(other) - weightOf(one));
}

function portionsOf({ name, files }: Group): Group[] {
  const count = Math.ceil(files.length / largest);
  const size = Math.ceil(files.length / count);
  return Array.from({ length: count }, (_, index) => ({
    name: name + (count > 1 ? `-${index + 1}` : ''),
    files: files.slice(index * size, (index + 1) * size),
  }));
}

/** Adds a folder to the last of the groups, or as one of its own where it doesn't fit. */
function join(groups: readonly Group[], { name, files }: Group): Group[] {
  const last = groups.at(-1);
  if (!last || last.files.length + files.length > largest) return [...groups, { name, files }];
  return [...groups.slice(0, -1), { name: `${last.name}+${name}`, files: [...last.files, ...files] }];
}

const weightOf = ({ files }: Group): number => files.reduce((sum, file) => sum + (!file.includes('/') ? largest : isLong(file) ? 2 : 1), 0);

/** Writes for each group a file that runs it. @returns Their paths. */
export function writeGroups(groups: readonly Group[], folder: string): string[] {
  const runner = pathToFileURL(resolve(tests, 'support', 'group.js')).href;
  return groups.map(({ name, files }) => {
    const entry = resolve(folder, `${name}.mjs`);
    const list = Object.fromEntries(files.map((file) => [file, resolve(tests, file)]));
    mkdirSync(dirname(entry), { recursive: true });
    writeFileSync(entry, `import { runFiles } from '${runner}';\nawait runFiles(${JSON.stringify(list)});\n`);
    return entry;
  });
}
