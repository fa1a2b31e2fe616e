import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Whether a program of Debian's is on the PATH.
 * @throws in CI when it is not: there nothing may be left out.
 */
export function isInstalled(program: string): boolean {
  const isThere = (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => existsSync(join(folder, program)));
  if (!isThere && process.env.CI)
    throw new Error(`${program} is not installed; .ci/run installs it.`);
  return isThere;
}
