/**
 * The PostgreSQL of the benchmark: one of its own in a folder that stays, or the one that
 * LANYARD_BENCH_POSTGRES names.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbedded } from '../../src/database/embedded.js';
import { packageRoot } from '../../src/root.js';

export interface Cluster {
  readonly url: string;
  /** The process above all that serve; undefined where it runs elsewhere. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/**
 * As for a server of its own with a few GB of memory; durability as PostgreSQL has it by default.
 */
const settings = {
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  max_connections: 100,
};

export async function startCluster(scale: number): Promise<Cluster> {
  const given = process.env.LANYARD_BENCH_POSTGRES;
  if (given) return { url: given, pid: undefined, stop: async () => {} };
  const directory = join(packageRoot, 'data', `bench-${scale}`);
  const { url, stop } = await startEmbedded(directory, { settings });
  const [pid] = readFileSync(join(directory, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  return { url, pid: Number(pid), stop };
}
