/** Which test files share a process. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../src/root.js';

const tests = join(packageRoot, 'dist', 'test');

/** So many that what they share hardly counts any more, so few that a group is soon done. */
const largest = 12;

export interface Group {
  readonly name: string;
  /** Paths below dist/test. */
  readonly files: readonly string[];
}

/**
 * The files of a folder share a process; a large folder has several. What changes its process for good (`*.alone.test.js`) has one of its own.
 * @returns The largest first, so that what runs at the same time ends at about the same time. A file beside the folders is one that takes long.
 */
export function groupsOf(files: readonly string[]): Group[] {
  const folders = Object.entries(Object.groupBy(files, (file) => (file.endsWith('.alone.test.js') ? file : (file.split('/')[0] ?? file))));
  const groups = folders.flatMap(([folder, own = []]) => {
    const count = Math.ceil(own.length / largest);
    const size = Math.ceil(own.length / count);
    return Array.from({ length: count }, (_, index) => ({
      name: folder.replace(/(\.test)?\.js$/, '') + (count > 1 ? `-${index + 1}` : ''),
      files: own.slice(index * size, (index + 1) * size),
    }));
  });
  const sizeOf = ({ files }: Group) => (files[0]?.includes('/') ? files.length : largest);
  return groups.sort((one, other) => sizeOf(other) - sizeOf(one));
}

/** Writes for each group a file that runs it. @returns Their paths. */
export function writeGroups(groups: readonly Group[], folder: string): string[] {
  const runner = pathToFileURL(join(tests, 'support', 'group.js')).href;
  return groups.map(({ name, files }) => {
    const entry = join(folder, `${name}.mjs`);
    const list = Object.fromEntries(files.map((file) => [file, resolve(tests, file)]));
    mkdirSync(dirname(entry), { recursive: true });
    writeFileSync(entry, `import { runFiles } from '${runner}';\nawait runFiles(${JSON.stringify(list)});\n`);
    return entry;
  });
}
