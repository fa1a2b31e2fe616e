/** `npm run openapi:compare`: fails when the contract of now breaks clients of the last release, and says where. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import { releasedFolder } from '../release/migrations.js';
import { compareGraphql } from './graphql.js';
import { compareOpenApi } from './openapi.js';

const released = (file: string): string => readFileSync(join(releasedFolder, file), 'utf8');
const now = (file: string): string => readFileSync(join(packageRoot, 'schema', file), 'utf8');

/** What breaks clients of the last release, one line each. */
export const findBreaks = (): string[] => [
  ...compareOpenApi(JSON.parse(released('openapi.json')), JSON.parse(now('openapi.json'))),
  ...compareGraphql(released('schema.graphql'), now('schema.graphql')).map((line) => `GraphQL: ${line}`),
];

if (import.meta.main) {
  const breaks = findBreaks();
  const { version } = JSON.parse(released('openapi.json')).info;
  if (breaks.length === 0) process.stdout.write(`Nothing breaks clients of ${version}.\n`);
  else {
    process.stderr.write(`Clients of ${version} would break:\n${breaks.map((line) => `  ${line}\n`).join('')}`);
    process.exitCode = 1;
  }
}
