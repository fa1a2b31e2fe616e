/** The servers that are compared: each a process of its own, with the settings of production. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageRoot } from '../src/root.js';
import { freePort } from '../test/support/server.js';
import { pinned } from './machine.js';
import type { Dialect } from './operations.js';

export interface Variant {
  readonly name: string;
  readonly title: string;
  readonly dialect: Dialect;
  /** Arguments of node. */
  readonly program: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Added to every request of the load. */
  readonly headers?: Readonly<Record<string, string>>;
}

const compiled = (...path: string[]): string => join(packageRoot, 'dist', ...path);
/** As `npm start` and the image do. */
const serveFrom = (main: string): string[] => [
  '--max-semi-space-size=32',
  '--no-memory-reducer',
  '--no-allocation-site-pretenuring',
  main,
  'serve',
];

/** Another checkout of Lanyard, built, to compare with. */
const before = process.env.LANYARD_BENCH_BEFORE;

export const lanyard: Variant = {
  name: 'lanyard',
  title: 'Lanyard',
  dialect: 'lanyard',
  program: serveFrom(compiled('src', 'main.js')),
};

export const variants: readonly Variant[] = [
  lanyard,
  {
    name: 'floor',
    title: 'floor',
    dialect: 'lanyard',
    program: [compiled('bench', 'floor', 'server.js')],
  },
  {
    name: 'postgraphile',
    title: 'PostGraphile 5',
    dialect: 'postgraphile',
    program: [join(packageRoot, 'bench', 'peers', 'postgraphile.mjs')],
    environment: { GRAPHILE_ENV: 'production' },
  },
  {
    name: 'apollo',
    title: 'Apollo, entities',
    dialect: 'apollo',
    program: [compiled('bench', 'apollo', 'server.js')],
  },
  {
    name: 'nothing',
    title: 'answers at once',
    dialect: 'lanyard',
    program: [compiled('bench', 'nothing.js')],
  },
  {
    ...lanyard,
    name: 'lanyard-quiet',
    title: 'Lanyard, no request log',
    environment: { LOG_LEVEL: 'warn' },
  },
  ...['br', 'gzip', 'zstd'].map((coding) => ({
    ...lanyard,
    name: `lanyard-${coding}`,
    title: `Lanyard, ${coding}`,
    headers: { 'accept-encoding': coding },
  })),
  ...(before
    ? [
        {
          ...lanyard,
          name: 'before',
          title: 'Lanyard before',
          program: serveFrom(join(before, 'dist', 'src', 'main.js')),
        },
      ]
    : []),
];

/** What is compared when nothing else is asked for. */
export const compared = ['lanyard', 'floor', 'postgraphile', 'apollo'];

export interface Server {
  readonly variant: Variant;
  readonly origin: string;
  readonly pid: number;
  /** Milliseconds from the start of the process to its first answer. */
  readonly startedIn: number;
  stop(): Promise<void>;
}

export interface Where {
  /** Undefined: an embedded one of the server's own. */
  readonly database?: string;
  readonly port?: number;
  /** The public base URL, which tokens name; left out: that of the port. */
  readonly base?: string;
  readonly cores?: string;
  readonly nodeFlags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a server, and waits for its first answer. */
export async function start(
  variant: Variant,
  { database, port, base, cores = '0', nodeFlags = [], environment = {} }: Where,
): Promise<Server> {
  const chosen = port ?? (await freePort());
  const origin = `http://127.0.0.1:${chosen}`;
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    ...(database && { DATABASE_URL: database }),
    PORT: String(chosen),
    BASE_URL: base ?? origin,
    // Counted as in production, and never reached.
    RATE_LIMIT_PER_MINUTE: '10000000',
    ...variant.environment,
    ...environment,
  };
  const [program, args] = pinned(cores, process.execPath, [...nodeFlags, ...variant.program]);
  const started = performance.now();
  const child = spawn(program, args, {
    cwd: packageRoot,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // Whatever ends the benchmark ends its servers.
  process.once('exit', () => child.kill('SIGKILL'));
  await answers(child, origin);
  return {
    variant,
    origin,
    pid: child.pid ?? 0,
    startedIn: performance.now() - started,
    stop: () => end(child),
  };
}

async function answers(child: ChildProcess, origin: string): Promise<void> {
  const isUp = () =>
    fetch(`${origin}/readyz`, { headers: { connection: 'close' } }).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null || child.signalCode)
      throw new Error(
        `${child.spawnargs.join(' ')} ended with ${child.exitCode ?? child.signalCode}`,
      );
    await delay(5);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(killer);
}
