/**
 * What a faulty pooler or network makes of PostgreSQL's responses: the connection breaks, and
 * nothing else.
 */
import { createDatabase } from '../support/database.js';
import { fail } from '../support/expect.js';
import { Caller } from './caller.js';
import { startFleet } from './fleet.js';
import { startProxy } from './proxy.js';

const { url, drop } = await createDatabase();
afterAll(drop);
const proxy = await startProxy(url);
const fleet = await startFleet(url, { serverUrl: proxy.url, size: 1 });

/** A message: its type, and the body behind the length. */
function messageOf(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, body]);
}

const garbage: Readonly<Record<string, Buffer>> = {
  'an unknown message': messageOf('!', Buffer.from('garbage')),
  'a row that ends in the middle of a field': messageOf('D', Buffer.from([0, 9, 0, 0, 0, 99, 1])),
  'a description of more columns than follow': messageOf('T', Buffer.from([0, 99, 65, 0])),
  'an unknown authentication': messageOf('R', Buffer.from([0, 0, 1, 0])),
  'a challenge in the middle of a session': messageOf('R', Buffer.from([0, 0, 0, 11, 120])),
  'a copy that nobody asked for': messageOf('G', Buffer.from([0, 0, 0])),
  'an error without any field': messageOf('E', Buffer.from([0])),
  'a transaction status that is cut off': messageOf('Z', Buffer.alloc(0)),
  noise: Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 151 + 7) % 256)),
  'rows of nobody': messageOf('D', Buffer.from([0, 0])),
};

for (const [what, bytes] of Object.entries(garbage)) {
  test(`${what}: 503 for the request, and the process serves the next one`, async () => {
    const caller = new Caller(fleet);
    const server = fleet.servers[0] ?? fail();
    proxy.garble(bytes);
    const first = await caller.send('GET', '/v1/me');
    expect([first?.status, first?.body.error?.code]).toEqual([503, 'service_unavailable']);
    expect((await caller.insist('GET', '/v1/me'))?.status).toBe(200);
    expect([server.child.exitCode, server.child.signalCode]).toStrictEqual([null, null]);
    expect(caller.broken).toEqual([]);
  });
}
