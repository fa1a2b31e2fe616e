/** The records of decisions are whole, in the index, and name tests that are there. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../src/root.js';

const folder = join(packageRoot, 'docs', 'decisions');
const read = (...path: string[]): string => readFileSync(join(packageRoot, ...path), 'utf8');
const files = readdirSync(folder).filter((file) => file !== 'README.md');
const index = read('docs', 'decisions', 'README.md');

/** Where the links of a page lead, as long as that is here. */
const linksOf = (page: string): string[] =>
  [...page.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);

describe('docs/decisions', () => {
  it('has numbers without a gap', () => {
    expect(files.map((file) => Number(file.slice(0, 4)))).toStrictEqual(
      files.map((_, place) => place + 1),
    );
  });

  for (const file of files) {
    it(`${file}: the headings of all, a line in the index, and a test that is there`, () => {
      const page = read('docs', 'decisions', file);
      const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      expect(headings).toEqual(['Context', 'Decision', 'Considered', 'Consequences', 'Held by']);
      const title = /^# (.+)$/m.exec(page)?.[1];
      // The index has another title, or none.
      expect(index).toContain(`| ${file.slice(0, 4)} | [${title}](${file}) | `);
      const paths = [
        ...page.matchAll(/`((?:src|test|bench|docs|tools|schema|clients|dashboard)\/[\w./-]+)`/g),
      ].map(([, path = '']) => path);
      expect(page).toMatch(/^## Held by$.*`(?:test|bench)\//ms); // names no test
      expect(paths.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
    });
  }

  for (const page of [
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    join('docs', 'add-a-resource.md'),
    join('docs', 'decisions', 'README.md'),
  ]) {
    it(`${page}: each link leads somewhere`, () => {
      const missing = linksOf(read(page)).filter(
        (target) => !existsSync(join(packageRoot, dirname(page), target)),
      );
      expect(missing).toEqual([]);
    });
  }

  it('the parts that ARCHITECTURE.md names are there', () => {
    const cells = read('ARCHITECTURE.md').match(/^\| `[^|]*/gm) ?? [];
    const parts = cells.flatMap((cell) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, part = '']) => part),
    );
    expect(parts.length).toBeGreaterThan(20);
    const missing = parts.filter(
      (part) => globSync(part, { cwd: join(packageRoot, 'src') }).length === 0,
    );
    expect(missing).toEqual([]);
  });
});
