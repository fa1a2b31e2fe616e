/** The process that serves a cluster, as others see it: through postmaster.pid, PostgreSQL's own account of it. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two looks at a file while waiting. */
export const pause = 10;

interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

const fileOf = (cluster: string) => join(cluster, 'postmaster.pid');

/** What the file says. It stays after a crash. */
function noted(cluster: string): Postmaster | undefined {
  const [pid, , , port, , , , status] = read(fileOf(cluster))?.split('\n') ?? [];
  return pid ? { pid: Number(pid), port: Number(port), isReady: status?.trim() === 'ready' } : undefined;
}

function running(cluster: string): Postmaster | undefined {
  const server = noted(cluster);
  return server && serves(server.pid, cluster) ? server : undefined;
}

const serves = (pid: number, cluster: string) => commandOf(pid).includes(` -D ${cluster} `);

/** The command line: all that root in a container may see of another user's process. Empty when there is none. */
function commandOf(pid: number): string {
  if (process.platform !== 'linux') return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? '';
}

/** A file that goes when its process does. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Removes a postmaster.pid whose number another process has got since a crash: it would keep PostgreSQL out. Any other is PostgreSQL's to judge,
 * since it guards the data while processes of a killed server linger.
 */
export function removeStale(cluster: string): void {
  const server = noted(cluster);
  if (server && commandOf(server.pid) !== '' && !serves(server.pid, cluster)) rmSync(fileOf(cluster));
}

/** The port of the server that runs, once it has started. Undefined when none does, or once it has stopped. */
export async function portOf(cluster: string): Promise<number | undefined> {
  for (;;) {
    const server = running(cluster);
    if (!server || server.isReady) return server?.port;
    await delay(pause);
  }
}

/** Ends every connection, writes everything down, and resolves when the server is gone. */
export async function shutDown(cluster: string): Promise<void> {
  const server = running(cluster);
  if (server) process.kill(server.pid, 'SIGINT');
  while (running(cluster)) await delay(pause);
}
