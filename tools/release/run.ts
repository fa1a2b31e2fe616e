/**
 * `npm run release`: records the current contract and migrations as those of the release in
 * package.json. Commit the files, and tag that commit. It can be repeated until the tag exists;
 * then the files are final.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/root.js';
import { findBreaks } from '../contract/check.js';
import { digestMigrations, releasedFolder } from './migrations.js';
import { isReleased, lastRelease } from './tags.js';

const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  version: string;
};
const breaks = lastRelease() ? findBreaks() : [];
if (isReleased(version)) refuse(`${version} is released: raise the version in package.json first.`);
else if (breaks.length > 0)
  refuse(
    `Clients of ${lastRelease()} would break:\n${breaks.map((line) => `  ${line}\n`).join('')}`,
  );
else {
  mkdirSync(releasedFolder, { recursive: true });
  for (const file of ['openapi.json', 'schema.graphql'])
    copyFileSync(join(packageRoot, 'schema', file), join(releasedFolder, file));
  writeFileSync(
    join(releasedFolder, 'migrations.json'),
    `${JSON.stringify(digestMigrations(), null, 2)}\n`,
  );
  process.stdout.write(
    `schema/released is that of ${version} now. Commit it, then: git tag v${version}\n`,
  );
}

function refuse(why: string): void {
  process.stderr.write(`${why}\n`);
  process.exitCode = 1;
}
