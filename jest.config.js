/** Jest runs the tests of test/ as they are compiled in dist/: see "Tests" in CONTRIBUTING.md. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const browser = 'chromium-headless-shell';
const hasBrowser =
  process.env.CHROMIUM !== undefined ||
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, browser)));
if (!hasBrowser && process.env.CI)
  throw new Error(`${browser} is not installed; .ci/run installs it.`);
if (!hasBrowser)
  process.stderr.write(`The browser tests are left out: they need Debian's ${browser}.\n`);

const isLarge = process.env.FAULTS === 'large' || Number(process.env.FUZZ_REQUESTS) > 20_000;
const minute = 60_000;

// What states how one PostgreSQL is used: its SQL, plans and round trips, its version, or statements
// of a test that Citus cannot run.
const onePostgres = [
  'graph/commits',
  'graph/creates-together',
  'graph/filters/certifications',
  'graph/filters/members',
  'graph/paging',
  'graph/plans',
  'graph/upsert/certifications',
  'rest/sql',
  'rest/statements',
  'security/audit/events',
  'security/generated/generated',
  'security/secrets/walk',
];
const isCluster = process.env.TEST_POSTGRES === 'citus';
if (isCluster)
  process.stderr.write(`Left out on Citus: ${onePostgres.join(', ')} (see jest.config.js)\n`);
else process.stderr.write('Left out: test/citus, which needs TEST_POSTGRES=citus.\n');
const leftOut = isCluster
  ? onePostgres.map((name) => `/test/${name}\\.test\\.ts$`)
  : ['/test/citus/'];

export default {
  roots: ['<rootDir>/test', '<rootDir>/src'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: [...leftOut, ...(hasBrowser ? [] : ['\\.browser\\.test\\.ts$'])],
  // The tests are compiled already. Imports name the compiled file; `--findRelatedTests` and
  // `--watch` need its source.
  transform: {},
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
  runner: ['jest-light-runner', { runtime: 'child_process' }],
  // Half of a test is waiting for a server to start or a page to load.
  maxWorkers: 4,
  globalSetup: '<rootDir>/test/jest/setup.js',
  globalTeardown: '<rootDir>/test/jest/teardown.js',
  setupFiles: ['<rootDir>/test/jest/compiled.js', '<rootDir>/test/jest/seed.js'],
  setupFilesAfterEnv: ['<rootDir>/test/jest/limits.js'],
  testTimeout: isLarge ? 24 * 60 * minute : 3 * minute,
  slowTestThreshold: 10,
  testSequencer: '<rootDir>/test/jest/sequencer.js',
  reporters: ['default', 'summary', '<rootDir>/test/jest/count.js'],
};
