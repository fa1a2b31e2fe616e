import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';

/** Asserts that the installed packages are those with which an undocumented interface was verified. */
export function expectInstalled(versions: Readonly<Record<string, string>>): void {
  const installed = Object.keys(versions).map((name) => {
    const file = join(packageRoot, 'node_modules', name, 'package.json');
    return [name, JSON.parse(readFileSync(file, 'utf8')).version];
  });
  expect(Object.fromEntries(installed)).toStrictEqual({ ...versions });
}
