/** Undocumented interfaces of libraries are used in one file each, whose test fails without them. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/root.js';

const source = join(packageRoot, 'src');
const files = globSync('**/*.{ts,tsx}', { cwd: source });
const interfaces = [
  ['getMetadataStorage', 'graph/type-graphql-internals.ts'],
  [`from 'graphql-jit'`, 'graph/execution/graphql-jit-internals.ts'],
  [`from 'kysely'`, 'database/mikro-orm-internals.ts'],
  [`from 'pg-protocol'`, 'database/wire/pg-internals.ts'],
  ['compareClientSecret', 'auth/oauth/oidc-provider-internals.ts'],
  ['_httpMessage', 'http/node-internals.ts'],
  ['_handle', 'http/node-internals.ts'],
] as const;

for (const [text, only] of interfaces)
  test(`${text} stands in ${only} alone`, () => {
    const found = files.filter((file) => readFileSync(join(source, file), 'utf8').includes(text));
    expect(found).toEqual([only]);
  });

test('each of these files has a test', () => {
  const untested = files
    .filter((file) => file.endsWith('-internals.ts'))
    .map((file) => join(packageRoot, 'test', file.replace(/\.ts$/, '.test.ts')))
    .filter((file) => !existsSync(file));
  expect(untested).toEqual([]);
});
