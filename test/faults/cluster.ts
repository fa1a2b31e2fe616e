/** A PostgreSQL of a test's own, to be killed, stalled and started again at the same address. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { launch } from '../../src/database/embedded/cluster.js';
import { startEmbedded } from '../../src/database/embedded.js';
import { copySeed, makeDirectory, settings as quick } from '../support/seed.js';

export interface Cluster extends AsyncDisposable {
  /** A database with the demo data. */
  readonly url: string;
  /** Ends it as a power cut would. */
  kill(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void>;
  /**
   * @param environment Of its processes, beside that of the test.
   * @returns When it took connections again, by `performance.now()`.
   */
  start(environment?: Record<string, string>): Promise<number>;
}

/** Starts it. What it acknowledges survives its death. */
export async function startCluster({ settings = quick } = {}): Promise<Cluster> {
  const directory = makeDirectory('faults');
  await copySeed(directory);
  const embedded = await startEmbedded(directory, { settings });
  const { url } = embedded;
  const port = Number(new URL(url).port);
  const pidOf = () =>
    Number(readFileSync(join(directory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return {
    url,
    async [Symbol.asyncDispose]() {
      await embedded.stop();
      rmSync(directory, { recursive: true });
    },
    async kill(signal) {
      const pid = pidOf();
      process.kill(pid, signal);
      while (isAlive(pid)) await delay(5);
    },
    async start(environment = {}) {
      // What a killed server's own processes still hold keeps the next one out for a moment.
      for (let attempt = 1; ; attempt++) {
        Object.assign(process.env, environment);
        try {
          await launch(directory, { port, settings });
          return performance.now();
        } catch (error) {
          if (attempt === 50) throw error;
          await delay(50);
        } finally {
          for (const name of Object.keys(environment)) delete process.env[name];
        }
      }
    },
  };
}

/** A process that ended but that nobody has waited for yet is dead, too. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
