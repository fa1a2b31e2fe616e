/**
 * `npm run openapi:compare`: fails when the current contract breaks clients of the last release,
 * and lists the breaks.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import { releasedFolder } from '../release/migrations.js';
import { accepted } from './accepted.js';
import { compareGraphql } from './graphql.js';
import { compareOpenApi } from './openapi.js';

const released = (file: string): string => readFileSync(join(releasedFolder, file), 'utf8');
const now = (file: string): string => readFileSync(join(packageRoot, 'schema', file), 'utf8');

/** All breaks for clients of the last release, one line each. */
const allBreaks = (): string[] => [
  ...compareOpenApi(JSON.parse(released('openapi.json')), JSON.parse(now('openapi.json'))),
  ...compareGraphql(released('schema.graphql'), now('schema.graphql')).map(
    (line) => `GraphQL: ${line}`,
  ),
];

/** Breaks that are not accepted, and accepted ones that no longer occur. */
export function findBreaks(): string[] {
  const all = allBreaks();
  const idle = accepted.filter(([what]) => !all.some((line) => what.test(line)));
  return [
    ...all.filter((line) => !accepted.some(([what]) => what.test(line))),
    ...idle.map(([what]) => `tools/contract/accepted.ts: nothing is like ${what} any more`),
  ];
}

if (import.meta.main) {
  const breaks = findBreaks();
  const { version } = JSON.parse(released('openapi.json')).info;
  if (breaks.length === 0) process.stdout.write(`Nothing breaks clients of ${version}.\n`);
  else {
    process.stderr.write(
      `Clients of ${version} would break:\n${breaks.map((line) => `  ${line}\n`).join('')}`,
    );
    process.exitCode = 1;
  }
}
