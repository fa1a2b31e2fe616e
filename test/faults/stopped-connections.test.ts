/**
 * SIGTERM, and every state that a connection can be in: who got through is answered, on a
 * connection that is not reset.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { open, parse, type RawResponse } from '../security/hostile/raw.js';
import { createDatabase } from '../support/database.js';
import { ensure, fail } from '../support/expect.js';
import { skyline, skylineId, typeId } from '../support/names.js';
import { startFleet } from './fleet.js';

const { url, drop } = await createDatabase();
afterAll(drop);
const fleet = await startFleet(url, { size: 1 });
const server = () => fleet.servers[0] ?? fail();
const signal = (name: NodeJS.Signals) => server().child.kill(name);
beforeEach(async () => {
  if (server().child.exitCode !== null) await fleet.restart(0);
});

const head = (method: string, path: string, token = fleet.token, ...fields: string[]): string =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: lanyard', `Authorization: Bearer ${token}`, ...fields].join('\r\n')}\r\n\r\n`;
const me = head('GET', '/v1/me');
const types = head('GET', `${skyline}/certification-types?limit=1`);
const json = (length: number) => ['Content-Type: application/json', `Content-Length: ${length}`];

interface Conversation {
  readonly socket: Socket;
  /** All that came, once the connection is closed, and what broke it. */
  readonly ended: Promise<{
    readonly responses: readonly RawResponse[];
    readonly error: string | undefined;
  }>;
}

/** Opens a connection, and sends. */
async function converse(text = ''): Promise<Conversation> {
  const socket = open(fleet.bases[0] ?? '');
  const chunks: Buffer[] = [];
  let error: string | undefined;
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    error = code;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const ended = closed.then(() => ({ responses: parse(Buffer.concat(chunks)), error }));
  await once(socket, 'connect');
  socket.write(text);
  return { socket, ended };
}
const converseOften = (count: number, text?: string) =>
  Promise.all(Array.from({ length: count }, () => converse(text)));
const answered = ({ socket }: Conversation) =>
  once(socket, 'data', { signal: AbortSignal.timeout(10_000) });

/** The statuses, of which the last alone says that the connection ends with it. */
async function assertAnswered({ ended }: Conversation, ...statuses: number[]): Promise<void> {
  const { responses, error } = await ended;
  expect([responses.map(({ status }) => status), error]).toStrictEqual([statuses, undefined]);
  const last = responses.map(({ headers }) => headers.get('connection') === 'close');
  expect(last).toStrictEqual([...statuses.slice(1).map(() => false), true]);
}

describe('come before the signal, and not read yet, since the server sleeps', () => {
  test('connections that the system has queued, requests on idle ones, in a row, and without the rest of the body: all are answered', async () => {
    const idle = await converseOften(20, me);
    await Promise.all(idle.map(answered));
    signal('SIGSTOP');
    await delay(50);
    const queued = await converseOften(40, me);
    const pipelined = await converse(me + me + types + me);
    const body = JSON.stringify({ certification_type_id: typeId('rf-awareness') });
    const begun = await converse(
      head('POST', '/v1/certifications', fleet.token, ...json(body.length)) + body.slice(0, 9),
    );
    for (const { socket } of idle) socket.write(me);
    await delay(50);
    signal('SIGTERM');
    signal('SIGCONT');
    for (const each of queued) await assertAnswered(each, 200);
    for (const each of idle) await assertAnswered(each, 200, 200);
    await assertAnswered(pipelined, 200, 200, 200, 200);
    await delay(500);
    begun.socket.write(body.slice(9));
    await assertAnswered(begun, 201);
    expect(await server().ended).toBe(0);
  });
});

/**
 * Sends the signal while a request waits for the database, and lets that go on when `work` is done.
 * @returns The connection of the request.
 */
async function stopWhileBusy(work: () => Promise<void>) {
  const busy = await converse();
  await fleet.db.transaction(async (tx) => {
    await tx.query('lock table certification_types');
    busy.socket.write(types);
    await delay(300);
    signal('SIGTERM');
    await work();
  });
  return busy;
}

describe('come after the signal, while a request waits for the database', () => {
  async function whileStopping(work: () => Promise<void>): Promise<void> {
    const busy = await stopWhileBusy(work);
    await assertAnswered(busy, 200);
    expect(await server().ended).toBe(0);
  }

  test('requests on idle connections are answered, a stream is refused, and nobody gets in any more', async () => {
    const idle = await converseOften(20, me);
    await Promise.all(idle.map(answered));
    const query = JSON.stringify({
      query: `subscription { changes(organizationId: "${skylineId}") { nodes { kind } } }`,
    });
    await whileStopping(async () => {
      await delay(100);
      const [streaming, ...others] = idle;
      ensure(streaming);
      streaming.socket.write(
        head('POST', '/graphql/stream', fleet.token, ...json(query.length)) + query,
      );
      for (const { socket } of others) socket.write(me);
      for (const each of others) await assertAnswered(each, 200, 200);
      await assertAnswered(streaming, 200, 503);
      await expect(converse()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    });
  });

  test('a request that is refused before its body is read can be sent to its end', async () => {
    const refused = await converse(me);
    await answered(refused);
    await whileStopping(async () => {
      refused.socket.write(
        head('POST', '/v1/certifications', 'none', ...json(200_000)) + 'x'.repeat(100_000),
      );
      await answered(refused);
      await delay(100);
      expect(refused.socket.writable).toBe(true); // closed while the body was still to come
      refused.socket.write('x'.repeat(100_000));
      const { responses, error } = await refused.ended;
      expect([responses.map(({ status }) => status), error]).toStrictEqual([[200, 401], undefined]);
    });
  });
});

test('connections without a request keep nobody waiting, used ones and new ones', async () => {
  const [used, unused] = [await converse(me), await converse()];
  await answered(used);
  await delay(100);
  const started = performance.now();
  signal('SIGTERM');
  expect(await server().ended).toBe(0);
  const took = performance.now() - started;
  console.info(`gone after ${took.toFixed(0)} ms`);
  ensure(took < 3000, `gone after ${took} ms`);
  for (const { ended } of [used, unused]) expect((await ended).error).toBeUndefined();
});

test('a second SIGTERM ends the server at once, whatever is under way, with 143', async () => {
  await stopWhileBusy(async () => {
    await delay(300);
    const started = performance.now();
    signal('SIGTERM');
    expect(await server().ended).toBe(143);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
