/** The server process of a cluster, as recorded in postmaster.pid. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two polls of a file. */
export const pause = 10;

interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

const fileOf = (cluster: string) => join(cluster, 'postmaster.pid');

/** The contents of postmaster.pid, which remains after a crash. */
function noted(cluster: string): Postmaster | undefined {
  const [pid, , , port, , , , status] = read(fileOf(cluster))?.split('\n') ?? [];
  return pid
    ? { pid: Number(pid), port: Number(port), isReady: status?.trim() === 'ready' }
    : undefined;
}

function running(cluster: string): Postmaster | undefined {
  const server = noted(cluster);
  return server && serves(server.pid, cluster) ? server : undefined;
}

/** The id of the server process of the cluster, ready or not. */
export const pidOf = (cluster: string): number | undefined => running(cluster)?.pid;

const serves = (pid: number, cluster: string) => commandOf(pid).includes(` -D ${cluster} `);

/**
 * The command line, which is all that root in a container can read of another user's process. Empty
 * when there is no such process.
 */
function commandOf(pid: number): string {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? '';
}

/** Reads a file that may disappear with its process. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Removes a postmaster.pid whose process id was reused after a crash, since it would prevent a
 * start. Any other is left to PostgreSQL, because it protects the data while processes of a killed
 * server remain.
 */
export function removeStale(cluster: string): void {
  const server = noted(cluster);
  if (server && commandOf(server.pid) !== '' && !serves(server.pid, cluster))
    rmSync(fileOf(cluster));
}

/** The port of a running server that is ready; otherwise undefined. */
export async function portOf(cluster: string): Promise<number | undefined> {
  for (;;) {
    const server = running(cluster);
    if (!server || server.isReady) return server?.port;
    await delay(pause);
  }
}

/**
 * Fast shutdown: ends every connection, writes a checkpoint, and resolves when the server has
 * exited.
 */
export async function shutDown(cluster: string): Promise<void> {
  const server = running(cluster);
  if (server) process.kill(server.pid, 'SIGINT');
  while (running(cluster)) await delay(pause);
}
