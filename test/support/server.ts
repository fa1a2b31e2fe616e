/** The server as its users start it: a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageRoot } from '../../src/root.js';

const program = join(packageRoot, 'dist', 'src', 'main.js');

export interface Run {
  readonly child: ChildProcess;
  /** What it printed so far. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** The exit code, once it has ended; null after a signal. */
  readonly ended: Promise<number | null>;
}

/** Runs `lanyard ARGUMENTS` with nothing in its environment but what is given (and a PATH). */
export function runLanyard(
  args: readonly string[],
  environment: Record<string, string>,
  cwd = packageRoot,
): Run {
  const env = { PATH: process.env.PATH ?? '', ...environment };
  const child = spawn(process.execPath, ['--throw-deprecation', program, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text;
    });
  }
  return { child, output, ended: once(child, 'close').then(([code]) => code as number | null) };
}

export interface Server extends Run {
  readonly base: string;
  /** Milliseconds from the start of the process to its first answer. */
  readonly startedIn: number;
}

/** Starts a server, and waits until it is ready. */
export async function startServer(
  environment: Record<string, string>,
  port?: number,
): Promise<Server> {
  const chosen = port ?? (await freePort());
  const started = performance.now();
  const run = runLanyard(['serve'], {
    PORT: String(chosen),
    LOG_LEVEL: 'warn',
    RATE_LIMIT_PER_MINUTE: '0',
    ...environment,
  });
  const base = `http://localhost:${chosen}`;
  while (!((await isListening(chosen)) && (await isReady(base)))) {
    if (run.child.exitCode !== null || run.child.signalCode)
      throw new Error(`The server ended: ${run.output.stderr}`);
    await delay(10);
  }
  return { ...run, base, startedIn: performance.now() - started };
}

/** Asked first: as long as nobody listens, it costs a tenth of a request. */
const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.destroy())
      .on('error', () => {})
      .on('close', (hasFailed) => resolve(!hasFailed));
  });

const isReady = (base: string): Promise<boolean> =>
  fetch(`${base}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Below those that systems give to outgoing connections. */
export async function freePort(): Promise<number> {
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
