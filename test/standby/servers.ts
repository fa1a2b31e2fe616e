/**
 * A primary and its streaming standby: two real PostgreSQL servers, from the binaries that npm
 * brings.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { launch, layout } from '../../src/database/embedded/cluster.js';
import { portOf, shutDown } from '../../src/database/embedded/postmaster.js';
import { copySeed, makeDirectory, settings } from '../support/seed.js';

type Settings = Readonly<Record<string, string | number>>;

export class Server {
  private port = 0;
  /** Besides those that all have. */
  settings: Settings = {};

  constructor(readonly directory: string) {}

  async start(): Promise<void> {
    await launch(this.directory, {
      ...(this.port && { port: this.port }),
      settings: { ...settings, ...this.settings },
    });
    this.port = (await portOf(layout(this.directory).cluster)) ?? 0;
    process.once('exit', this.crash);
  }

  /** The database that the application runs on. */
  get url(): string {
    return this.urlOf('lanyard');
  }

  urlOf(database: string, port = this.port): string {
    return `postgresql://lanyard:${readFileSync(layout(this.directory).password, 'utf8')}@127.0.0.1:${port}/${database}`;
  }

  async query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client(this.url);
    await client.connect();
    try {
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  stop = (): Promise<void> => shutDown(layout(this.directory).cluster);

  /** Ends it at once, without a word to anyone. */
  readonly crash = (): void => {
    try {
      const [pid = ''] = readFileSync(
        join(layout(this.directory).cluster, 'postmaster.pid'),
        'utf8',
      ).split('\n');
      process.kill(Number(pid), 'SIGQUIT');
    } catch {
      // It doesn't run.
    }
  };
}

export interface Pair {
  readonly primary: Server;
  readonly standby: Server;
  /** Makes another standby, of the state before the primary first started as one. */
  readonly another: (name: string, primary: Server, more?: Settings) => Promise<Server>;
  readonly stop: () => Promise<void>;
}

/** Starts both, with the demo data in them. */
export async function startPair(more: Settings = {}): Promise<Pair> {
  const directory = makeDirectory('standby');
  const servers: Server[] = [];
  const copy = async (name: string, prepare: (cluster: string) => Settings): Promise<Server> => {
    const server = new Server(join(directory, name));
    mkdirSync(server.directory);
    await copySeed(server.directory);
    server.settings = { ...prepare(layout(server.directory).cluster), ...more };
    await server.start();
    servers.push(server);
    return server;
  };
  const another = (name: string, primary: Server, own: Settings = {}): Promise<Server> =>
    copy(name, (cluster) => {
      writeFileSync(join(cluster, 'standby.signal'), '');
      const { hostname, port, username, password } = new URL(primary.url);
      const primaryUrl = `host=${hostname} port=${port} user=${username} password=${password} application_name=${name}`;
      return { primary_conninfo: primaryUrl, ...own };
    });
  const primary = await copy('primary', () => ({}));
  const standby = await another('standby', primary);
  const stop = async () => {
    for (const server of servers) await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  return { primary, standby, another, stop };
}

/** Waits until it holds, for forty seconds at the most. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 40_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('It took more than forty seconds');
    await delay(20);
  }
}
