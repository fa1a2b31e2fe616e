/** A server that is stopped for longer than a request may take to arrive, and then goes on. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { open, parse } from '../security/hostile/raw.js';
import { createDatabase } from '../support/database.js';
import { fail } from '../support/expect.js';
import { startFleet } from './fleet.js';

const { url, drop } = await createDatabase();
afterAll(drop);
const fleet = await startFleet(url, { size: 1 });

async function converse(first: string) {
  const socket = open(fleet.bases[0] ?? '');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => {});
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  socket.write(first);
  return { socket, ended: closed.then(() => parse(Buffer.concat(chunks))) };
}

test('requests that came meanwhile, whole or in part, get 200 or 503, and never 408', async () => {
  const server = fleet.servers[0] ?? fail();
  const request = 'GET /livez HTTP/1.1\r\nHost: lanyard\r\nConnection: close\r\n\r\n';
  const [idle, begun] = [
    await Promise.all(Array.from({ length: 10 }, () => converse(''))),
    await Promise.all(Array.from({ length: 10 }, () => converse(request.slice(0, 20)))),
  ];
  await delay(300);
  server.child.kill('SIGSTOP');
  try {
    for (const { socket } of idle) socket.write(request);
    for (const { socket } of begun) socket.write(request.slice(20));
    await delay(13_000);
  } finally {
    server.child.kill('SIGCONT');
  }
  for (const { ended } of [...idle, ...begun]) {
    const [response] = await ended;
    expect([200, 503]).toContain(response?.status);
    if (response?.status === 503) expect(response.headers.get('retry-after')).toBe('1');
  }
});
