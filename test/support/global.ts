/**
 * One PostgreSQL for all test files, up before the first and gone after the last, however the run
 * ends.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../../src/database/embedded.js';
import { type Citus, hasCitus, startCitus } from './citus.js';
import { closeTemplate, prepareTemplate } from './template.js';

let directory: string | undefined;
let server: Promise<Pick<Embedded, 'url' | 'stop'>> | undefined;

/**
 * Its URL, in LANYARD_TEST_POSTGRES, reaches the test files with the environment. Set beforehand,
 * it names another server to test on, such as one of the oldest version that we support. With
 * LANYARD_TEST_TEMPLATE=ready the template is there already: the test of upgrades gives one that a
 * later release has migrated. With TEST_POSTGRES=citus the tests run on a cluster of three nodes, if
 * Citus is installed. What tests make beside it goes into LANYARD_TEST_DIRECTORY, which the
 * run removes at its end; so do temporary files of whatever they start.
 */
export async function globalSetup(): Promise<void> {
  const { LANYARD_TEST_POSTGRES: given, LANYARD_TEST_TEMPLATE: template } = process.env;
  directory = mkdtempSync(join(fastest(), 'lanyard-test-'));
  // Where we are root, PostgreSQL is somebody else.
  chmodSync(directory, 0o755);
  process.env.LANYARD_TEST_DIRECTORY = directory;
  process.env.TMPDIR = join(directory, 'tmp');
  mkdirSync(process.env.TMPDIR);
  chmodSync(process.env.TMPDIR, 0o1777);
  if (given) return template === 'ready' ? undefined : prepareTemplate(given);
  server =
    process.env.TEST_POSTGRES === 'citus'
      ? startCluster(directory)
      : startEmbedded(directory, { durable: false, settings: { max_connections: 200 } });
  // The runner calls no teardown after a signal or a failed setup.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => globalTeardown().finally(() => process.kill(process.pid, signal)));
  }
  try {
    const { url } = await server;
    process.env.LANYARD_TEST_POSTGRES = url;
    const nodes = process.env.LANYARD_TEST_NODES?.split(',').map(Number);
    await prepareTemplate(url, nodes);
    if (nodes) await closeTemplate(nodes);
  } catch (error) {
    await globalTeardown();
    throw error;
  }
}

async function startCluster(directory: string): Promise<Citus> {
  if (!hasCitus) throw new Error('Citus is not installed for PostgreSQL 15.');
  const citus = await startCitus(directory);
  const ports = [citus.coordinator, ...citus.workers].map(({ port }) => port);
  process.env.LANYARD_TEST_NODES = ports.join();
  return citus;
}

export async function globalTeardown(): Promise<void> {
  const started = await server?.catch(() => undefined);
  await started?.stop();
  if (directory) rmSync(directory, { recursive: true, force: true });
}

/**
 * Memory, where there are 2 GB of it: a copy of a database is some 300 files, 10 ms there and up to
 * 300 on a disk; other files cost a tenth there, too.
 */
function fastest(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > 2 ** 31 ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}
