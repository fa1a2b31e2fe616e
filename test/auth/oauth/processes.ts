/**
 * Server processes of their own, on the database and under the base URL of a test's application, as
 * behind a load balancer.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../../../src/root.js';
import type { TestApp } from '../../support/app.js';
import { freePort } from './client.js';

export interface Process {
  readonly url: string;
  /** Sends a request as the load balancer would. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** That of the test, in which its application runs. */
export const ownProcess = ({ base }: TestApp): Process => ({
  url: base,
  fetch: (path, init = {}) => fetch(base + path, { ...init, redirect: 'manual' }),
});

export async function startProcess(app: TestApp): Promise<Process> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'test',
    DATABASE_URL: app.url,
    PORT: String(port),
    BASE_URL: app.base,
    TRUST_PROXY: 'true',
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'error',
  };
  const child = spawn(process.execPath, [join(packageRoot, 'dist/src/main.js'), 'serve'], {
    env,
    cwd: tmpdir(),
    stdio: 'inherit',
  });
  afterAll(() => stop(child));
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined);
    if (ready?.ok) break;
    if (tries > 1200 || child.exitCode !== null)
      throw new Error('the server process did not start');
    await sleep(50);
  }
  const host = new URL(app.base).host;
  return {
    url,
    fetch: (path, init = {}) =>
      fetch(url + path, {
        ...init,
        redirect: 'manual',
        headers: { ...init.headers, 'x-forwarded-host': host },
      }),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
