/**
 * Several requests on one connection before the first is answered, and what is left on a connection
 * after a refusal.
 */
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { startApp } from '../support/app.js';
import { climberEmail, managerEmail, memberId, skyline, typeId } from '../support/names.js';

const app = await startApp();
const token = await app.token(managerEmail);
const { port, hostname } = new URL(app.base);

/**
 * Writes it on a new connection. @returns What was received until the server closed the connection,
 * or for a second.
 */
async function exchange(
  text: string,
  ms = 1000,
): Promise<{ readonly received: string; readonly isClosed: boolean }> {
  const socket = connect(Number(port), hostname);
  let [received, isClosed] = ['', false];
  socket.on('data', (data) => {
    received += data;
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve())).then(() => {
    isClosed = true;
  });
  socket.write(text);
  await Promise.race([closed, delay(ms)]);
  socket.destroy();
  return { received, isClosed };
}

const live = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
const statusesOf = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

test('answers 32 requests that come at once', async () => {
  const { received, isClosed } = await exchange(live.repeat(32));
  expect([statusesOf(received), isClosed]).toEqual([Array(32).fill(200), false]);
});

test('closes a connection with more that wait, and answers others meanwhile', async () => {
  const flood = Promise.all(Array.from({ length: 20 }, () => exchange(live.repeat(1500), 10_000)));
  expect((await fetch(`${app.base}/livez`)).status).toBe(200);
  for (const { received, isClosed } of await flood) {
    expect(statusesOf(received).length).toBeLessThanOrEqual(32);
    expect(isClosed).toBe(true);
  }
});

test.each([
  ['no HTTP', 'GARBAGE\r\n\r\n'],
  [
    'a request with two lengths',
    'POST /v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  ],
  ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
])('a create that is followed by %s is answered, and the connection closed', async (_, rest) => {
  const body = JSON.stringify({
    organization_member_id: memberId(climberEmail),
    certification_type_id: typeId('osha-30'),
  });
  const head = `POST ${skyline}/certifications HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const { received, isClosed } = await exchange(head + body + rest, 5000);
  expect([statusesOf(received), isClosed]).toEqual([[201], true]);
});

test('a chunked body that is too large is refused, and the connection closed', async () => {
  const size = 2 * 1024 * 1024;
  const head =
    'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`;
  const { received, isClosed } = await exchange(head + chunk + live, 5000);
  expect([statusesOf(received), isClosed]).toEqual([[413], true]);
  expect(received).toMatch(/^connection: close\r$/im);
});

test('CONNECT is refused with the methods that there are', async () => {
  const { received } = await exchange('CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(statusesOf(received)).toEqual([405]);
  expect(received).toMatch(/^Allow: GET, HEAD, POST/m);
});
