/**
 * What every mode works with: the seeded copy, the servers on it, what to ask them, and the process
 * that asks.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/root.js';
import { freePort } from '../test/support/server.js';
import { type DelayedDatabase, delayed } from './delay.js';
import { Loader } from './load/loader.js';
import type { Load, Outcome, Request } from './load/protocol.js';
import { joinServerCore, timesOf, usedSince, withChildren } from './machine.js';
import { type Operation, requestsOf } from './operations.js';
import { type Cluster, startCluster } from './seed/cluster.js';
import { type Copy, type Say, seededCopy, withClient } from './seed/seed.js';
import { type Server, start, type Variant, variants, type Where } from './servers.js';
import { refreshTokens } from './sign-in.js';
import { World } from './world.js';

/** What a load cost. */
export interface Measured extends Outcome {
  /** Milliseconds of processor time. */
  readonly server: number;
  readonly database: number;
}

export class Session {
  private readonly servers = new Map<string, Server>();
  /**
   * Where the requests of an operation go on, whichever server is next: what they change goes by
   * turns.
   */
  private readonly positions = new Map<string, number>();
  private readonly refreshing = new Map<string, readonly string[]>();

  private constructor(
    private readonly cluster: Cluster,
    private readonly copy: Copy,
    readonly world: World,
    private readonly port: number,
    readonly loader: Loader,
    private readonly delay: DelayedDatabase | undefined,
  ) {}

  static async open(scale: number, say: Say, delayMs = 0): Promise<Session> {
    const cluster = await startCluster(scale);
    try {
      const copy = await seededCopy(cluster.url, scale, say);
      const port = await freePort();
      return new Session(
        cluster,
        copy,
        await World.open(copy.url, `http://127.0.0.1:${port}`),
        port,
        Loader.start(),
        delayMs > 0 ? await delayed(copy.url, delayMs) : undefined,
      );
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  get database(): string {
    return this.copy.url;
  }

  /** What tokens are for. */
  get base(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The first Lanyard has the port of the base URL, where its authorization server is at home. */
  async start(variant: Variant, where: Where = {}): Promise<Server> {
    if (variant.dialect === 'postgraphile') await this.prepare('functions.sql');
    const isHome = variant.name === 'lanyard' && !this.servers.has('lanyard');
    const database = this.delay?.url ?? this.copy.url;
    const home = { database, base: this.base, ...(isHome && { port: this.port }) };
    const server = await start(variant, { ...home, ...where });
    this.servers.set(isHome ? 'lanyard' : `${variant.name} ${server.pid}`, server);
    return server;
  }

  /** Leaves the other cores to the load. */
  moveDatabase(): string {
    return joinServerCore(withChildren(this.cluster.pid));
  }

  async stop(server: Server): Promise<void> {
    for (const [name, each] of this.servers) if (each === server) this.servers.delete(name);
    await server.stop();
  }

  async startAll(names: readonly string[]): Promise<Server[]> {
    const started: Server[] = [];
    for (const variant of variants.filter(({ name }) => names.includes(name)))
      started.push(await this.start(variant));
    return started;
  }

  private async prepare(file: string): Promise<void> {
    const sql = readFileSync(join(packageRoot, 'bench', 'peers', file), 'utf8');
    await withClient(this.copy.url, async (client) => {
      await client.query(`drop schema if exists peer cascade; ${sql}`);
    });
  }

  /** The requests of an operation for a server; undefined when it has no such operation. */
  async requestsFor(operation: Operation, { variant }: Server): Promise<Request[] | undefined> {
    await this.world.renewTokens();
    return requestsOf(operation, variant.dialect, this.world);
  }

  /** Loads one server (or several as one) with an operation, and tells what it cost. */
  async measure(
    operation: Operation,
    servers: Server | readonly Server[],
    load: Pick<Load, 'milliseconds' | 'lanes' | 'rate' | 'leadIn'>,
  ): Promise<Measured> {
    const all = [servers].flat() as [Server, ...Server[]];
    const requests = await this.requestsFor(operation, all[0]);
    if (!requests) throw new Error(`${all[0].variant.name} has no ${operation.name}.`);
    const pids = all.map(({ pid }) => pid);
    const lanes = `${operation.name} ${pids}`;
    const tokens =
      operation.name === 'token-refresh'
        ? (this.refreshing.get(lanes) ?? (await this.signIn(load.lanes)))
        : undefined;
    const before = { server: timesOf(pids), database: timesOf(withChildren(this.cluster.pid)) };
    const outcome = await this.loader.run({
      ...{
        ...load,
        requests: requests.map((request) => ({
          ...request,
          headers: { ...request.headers, ...all[0].variant.headers },
        })),
        from: this.positions.get(operation.name) ?? 0,
        origins: all.map(({ origin }) => origin),
      },
      ...(tokens && { refreshTokens: tokens }),
    });
    const server = usedSince(before.server, pids);
    const database = usedSince(before.database, withChildren(this.cluster.pid));
    this.positions.set(operation.name, outcome.next);
    this.refreshing.set(lanes, outcome.refreshTokens);
    return { ...outcome, server, database };
  }

  private async signIn(lanes: number): Promise<string[]> {
    const home = this.servers.get('lanyard');
    if (!home)
      throw new Error(
        'Refresh tokens come from signing in to Lanyard: it must be among the variants.',
      );
    return refreshTokens(home.origin, lanes);
  }

  async close(): Promise<void> {
    await this.loader.stop();
    for (const server of this.servers.values()) await server.stop();
    await this.delay?.stop();
    await this.world.close();
    await this.copy.drop();
    await this.cluster.stop();
  }
}

/** Ends all that it started, also when it is told to stop. */
export async function inSession<T>(
  scale: number,
  say: Say,
  work: (session: Session) => Promise<T>,
  delayMs = 0,
): Promise<T> {
  const stop = new AbortController();
  const stopped = Promise.withResolvers<never>();
  stop.signal.addEventListener('abort', () => stopped.reject(stop.signal.reason));
  // Nobody waits for it while the database is seeded.
  stopped.promise.catch(() => {});
  // Not only once: npm passes on the signal that the terminal sent already.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => stop.abort(new Error(`stopped by ${signal}`)));
  // Seeding tells of each portion, and may end there: the next run begins it anew.
  const tell = (line: string) => {
    stop.signal.throwIfAborted();
    say(line);
  };
  const session = await Session.open(scale, tell, delayMs);
  try {
    return await Promise.race([work(session), stopped.promise]);
  } finally {
    await session.close();
  }
}
