/** The embedded PostgreSQL of `npm start` dies under its server. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensure } from '../support/expect.js';
import { copySeed, makeDirectory } from '../support/seed.js';
import { startServer } from '../support/server.js';
import { sized } from './fleet.js';

const data = makeDirectory('embedded');
afterAll(() => rmSync(data, { recursive: true }));
await copySeed(data);
const server = await startServer({ DATA_DIR: data, LOG_LEVEL: 'warn' });
while (!server.output.stdout.includes('curl')) await delay(10);
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.ended;
});

const postmaster = () =>
  Number(readFileSync(join(data, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
const isReady = async () => (await fetch(`${server.base}/readyz`)).ok;

/** Kills a process, and waits until the server is ready again. @returns Milliseconds. */
async function recoveryFrom(pid: number): Promise<number> {
  const started = performance.now();
  process.kill(pid, 'SIGKILL');
  // It may be over before anyone looks.
  while (performance.now() - started < 3000 && (await isReady())) await delay(10);
  while (!(await isReady())) {
    ensure(performance.now() - started < 20_000, server.output.stdout.slice(-2000));
    await delay(20);
  }
  return performance.now() - started;
}

test('its postmaster is killed: the server says so, starts it again and goes on', async () => {
  for (let count = 1; count <= sized(1, 10); count++) {
    const [before, took] = [postmaster(), await recoveryFrom(postmaster())];
    console.info(`ready again ${took.toFixed(0)} ms after the kill`);
    expect(postmaster()).not.toBe(before);
    expect(readFileSync(join(data, 'postgres.log.previous'), 'utf8')).toMatch(
      /unexpected postmaster exit/,
    );
    // By then the lines of the log are out, which go together.
    await delay(500);
    expect(server.output.stdout.match(/PostgreSQL died/g)?.length).toBe(count);
  }
});

test('a backend is killed, as the system does when memory runs out: PostgreSQL starts over by itself, and is still owned', async () => {
  const [backend] = execFileSync('pgrep', ['-P', String(postmaster()), '-f', 'lanyard lanyard'], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  const before = postmaster();
  await recoveryFrom(Number(backend));
  expect(postmaster()).toBe(before);
  await delay(1000);
  const second = startServer({ DATA_DIR: data });
  await expect(second).rejects.toThrow(/is already running on/);
});

test('where it cannot be started again, the server says so and ends', async () => {
  appendFileSync(join(data, 'cluster', 'postgresql.conf'), 'shared_buffers = plenty\n');
  process.kill(postmaster(), 'SIGKILL');
  expect(await server.ended).toBe(1);
  expect(server.output.stderr).toMatch(/PostgreSQL did not start[\s\S]*shared_buffers/);
});
