/** One PostgreSQL for all test files, up before the first and gone after the last, however the run ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startEmbedded } from '../../src/database/embedded.js';
import { prepareTemplate } from './template.js';

let directory: string;
let server: Promise<Embedded>;

/** Its URL, in LANYARD_TEST_POSTGRES, reaches the test files with the environment. */
export async function globalSetup(): Promise<void> {
  directory = mkdtempSync(join(tmpdir(), 'lanyard-test-'));
  server = startEmbedded(directory, { durable: false, settings: { max_connections: 200 } });
  // The runner calls no teardown after a signal or a failed setup.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => globalTeardown().finally(() => process.kill(process.pid, signal)));
  }
  try {
    const { url } = await server;
    process.env.LANYARD_TEST_POSTGRES = url;
    await prepareTemplate(url);
  } catch (error) {
    await globalTeardown();
    throw error;
  }
}

export async function globalTeardown(): Promise<void> {
  const started = await server.catch(() => undefined);
  await started?.stop();
  rmSync(directory, { recursive: true, force: true });
}
