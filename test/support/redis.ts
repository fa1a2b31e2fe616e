/** A Redis of a test's own, by Debian's redis-server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './server.js';

export interface TestRedis extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly child: ChildProcess;
  /** Kills it. */
  stop(): Promise<void>;
}

/** Starts it, and waits until it takes connections. */
export async function startRedis(given?: number): Promise<TestRedis> {
  const port = given ?? (await freePort());
  const child = spawn('redis-server', [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
  ]);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.stdout.on('data', (text: Buffer) => {
      if (text.includes('Ready to accept connections')) resolve();
    });
  });
  return { url: `redis://127.0.0.1:${port}`, port, child, stop, [Symbol.asyncDispose]: stop };
}
