/** The table of docs/graphql.md has the tools that are tested, with their versions, and no others. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import { tableOf, tools } from './works.js';

test('docs/graphql.md has the table of the tested tools', () => {
  const guide = readFileSync(join(packageRoot, 'docs', 'graphql.md'), 'utf8');
  const [table] = /^\| Tool \|.*(\n\|.*)*/m.exec(guide) ?? [];
  expect(table).toBe(tableOf());
});

test('every tool of the table has its tests', () => {
  const folder = join(packageRoot, 'test', 'tools');
  const sources = readdirSync(folder)
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  for (const name of Object.keys(tools)) {
    // Of both versions of Apollo Client in a loop over their libraries.
    const isTested =
      sources.includes(`describeTool('${name}'`) || sources.includes(`  '${name}': {\n    core:`);
    expect([name, isTested]).toStrictEqual([name, true]);
  }
});
