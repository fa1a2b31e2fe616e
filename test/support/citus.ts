/**
 * A Citus cluster for tests: a coordinator and workers of Debian's PostgreSQL 15, on loopback, each
 * a directory below one.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { commandAs, userFor } from '../../src/database/embedded/user.js';
import { freePort } from './server.js';

/** Where Debian puts PostgreSQL 15, and "make install" Citus. */
const home = '/usr/lib/postgresql/15';

/** Whether this machine can run a cluster. */
export const hasCitus = existsSync(join(home, 'lib', 'citus.so'));

const settings = {
  shared_preload_libraries: 'citus',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 300,
  // Each database has a maintenance process, and each test file a database.
  max_worker_processes: 64,
  max_prepared_transactions: 300,
  timezone: 'UTC',
  wal_level: 'logical',
  fsync: 'off',
  full_page_writes: 'off',
  'citus.shard_count': 8,
  // Tests disable the trigger of the audit.
  'citus.enable_unsafe_triggers': 'on',
  // Test databases are dropped while the next test runs, and connections kept would stop that.
  'citus.max_cached_conns_per_worker': 1,
  'citus.recover_2pc_interval': '5s',
};

export interface Node {
  readonly port: number;
  /** Starts it again after {@link Node.kill}. */
  start(): Promise<void>;
  /** Ends it as a crash does. */
  kill(): Promise<void>;
}

export interface Citus {
  /** The database `postgres` of the coordinator. */
  readonly url: string;
  readonly coordinator: Node;
  readonly workers: readonly Node[];
  stop(): Promise<void>;
}

/** Starts a cluster in an empty directory. */
export async function startCitus(directory: string, workers = 2): Promise<Citus> {
  const nodes: Node[] = [];
  for (let index = 0; index <= workers; index++)
    nodes.push(await startNode(join(directory, index === 0 ? 'coordinator' : `worker${index}`)));
  const [coordinator, ...others] = nodes as [Node, ...Node[]];
  return {
    url: urlOf(coordinator.port),
    coordinator,
    workers: others,
    stop: async () => {
      for (const node of nodes) await node.kill();
    },
  };
}

export const urlOf = (port: number, database = 'postgres'): string =>
  `postgresql://postgres@127.0.0.1:${port}/${database}`;

async function startNode(directory: string): Promise<Node> {
  mkdirSync(directory);
  const user = userFor(directory);
  if (user) chownSync(directory, user.uid, user.gid);
  const initdb = commandAs(user, directory, join(home, 'bin', 'initdb'), [
    `--pgdata=${directory}`,
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
  await promisify(execFile)(initdb.program, initdb.args, initdb.options);
  const port = await freePort();
  const start = async () => {
    const flags = Object.entries({ ...settings, port }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const postgres = commandAs(user, directory, join(home, 'bin', 'postgres'), [
      '-D',
      directory,
      ...flags,
    ]);
    const log = openSync(process.env.CITUS_LOG ?? `${directory}.log`, 'a');
    const stdio = ['ignore', log, log] as const;
    // The nodes connect to each other, with the certificates of HOME if there are any.
    const env = { ...process.env, HOME: directory };
    const options = { ...postgres.options, env, detached: true, stdio: [...stdio] };
    spawn(postgres.program, postgres.args, options).unref();
    for (let attempt = 0; !(await isReady(port)); attempt++) {
      if (attempt > 300) throw new Error(`PostgreSQL did not start; see ${directory}.log`);
      await delay(100);
    }
  };
  await start();
  const kill = async () => {
    const stop = ['-D', directory, '-m', 'immediate', '-w', 'stop'];
    const command = commandAs(user, directory, join(home, 'bin', 'pg_ctl'), stop);
    spawnSync(command.program, command.args, command.options);
  };
  return { port, start, kill };
}

const isReady = (port: number): Promise<boolean> =>
  onNode(port, 'postgres', 'select 1').then(
    () => true,
    () => false,
  );

/** Runs one statement on one node. */
export async function onNode(port: number, database: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(urlOf(port, database));
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Makes a database of all nodes one of the cluster. */
export async function joinNodes(ports: readonly number[], database: string): Promise<void> {
  const [coordinator = 0, ...workers] = ports;
  for (const port of workers) await onNode(port, 'postgres', `create database ${database}`);
  for (const port of ports) await onNode(port, database, 'create extension if not exists citus');
  await onNode(
    coordinator,
    database,
    `select citus_set_coordinator_host('127.0.0.1', ${coordinator})`,
  );
  if (workers.length === 0)
    await onNode(
      coordinator,
      database,
      `select citus_set_node_property('127.0.0.1', ${coordinator}, 'shouldhaveshards', true)`,
    );
  for (const port of workers)
    await onNode(coordinator, database, `select citus_add_node('127.0.0.1', ${port})`);
}
