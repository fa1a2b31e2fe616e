/**
 * Attacks over and over, and connections that never come to the point: memory stays, and others are
 * served meanwhile.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ensure } from '../../support/expect.js';
import { type Attacker, bytesOf, request } from './attack.js';
import { bodyAttacks } from './attacks/bodies.js';
import { documentAttacks } from './attacks/documents.js';
import { formAttacks } from './attacks/forms.js';
import { residentOf } from './process.js';
import { exchange, open, parse } from './raw.js';
import { startTarget } from './target.js';

const { server, attacker } = await startTarget();
const mebibyte = 1024 * 1024;

/** Milliseconds that an ordinary request takes, again and again until it is told to stop. */
async function serveOthers(signal: AbortSignal): Promise<number[]> {
  const taken: number[] = [];
  while (!signal.aborted) {
    const { responses, milliseconds } = await exchange(
      server.base,
      request('GET', '/v1/me', attacker),
    );
    expect(responses[0]?.status).toBe(200);
    taken.push(milliseconds);
    await delay(100);
  }
  return taken;
}

const medianOf = (taken: readonly number[]): number =>
  [...taken].sort((one, other) => one - other)[taken.length >> 1] ?? 0;

interface Slow {
  readonly answer: Promise<{ status: number | undefined; seconds: number }>;
}

/** Sends the first bytes, and one more each half second, until the server has closed. */
function trickle(first: Uint8Array, drop: string): Slow {
  const started = performance.now();
  const socket = open(server.base);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(first);
  const timer = setInterval(() => socket.write(drop), 500);
  const answer = new Promise<{ status: number | undefined; seconds: number }>((resolve) => {
    socket.once('close', () => {
      clearInterval(timer);
      resolve({
        status: parse(Buffer.concat(chunks))[0]?.status,
        seconds: (performance.now() - started) / 1000,
      });
    });
  });
  return { answer };
}

/** The beginning of a request with a body that is announced, and doesn't come. */
const begun = (of: Attacker, length: number) =>
  request(
    'POST',
    '/v1/certifications',
    of,
    ['Content-Type: application/json', `Content-Length: ${length}`],
    '{',
  );

// The slow ones do nothing but wait, for half a minute.
describe('at the same time', () => {
  test('200 rounds of what takes work leave the memory as it is, and others are served between', async () => {
    const heavy = [...bodyAttacks, ...documentAttacks, ...formAttacks].filter(
      ({ isHeavy }) => isHeavy,
    );
    expect(heavy.length).toBeGreaterThan(50);
    const ordinary = new AbortController();
    const others = serveOthers(ordinary.signal);
    const resident: number[] = [];
    const end = performance.now() + 60_000;
    // A machine that is busy with other things does fewer.
    for (let round = 0; round < 200 && performance.now() < end; round++) {
      // Three at a time, all of them in turn.
      const some = [0, 1, 2].flatMap((index) => heavy[(3 * round + index) % heavy.length] ?? []);
      await Promise.all(
        some.map(async ({ bytes, status, name }) => {
          const { responses } = await exchange(server.base, bytes(attacker));
          expect([name, responses[0]?.status]).toStrictEqual([name, status]);
        }),
      );
      if (round % 20 === 19) resident.push(residentOf(server.child.pid) / mebibyte);
    }
    ordinary.abort();
    const taken = await others;
    expect(resident.length).toBeGreaterThanOrEqual(4); // fewer than 80 rounds in a minute
    const half = resident.length >> 1;
    const [early, late] = [Math.max(...resident.slice(0, half)), Math.max(...resident.slice(half))];
    console.info(
      `MiB after each 20 rounds: ${resident.map(Math.round)}; others took ${Math.round(medianOf(taken))} ms, at most ${Math.round(Math.max(...taken))}`,
    );
    ensure(late - early < 100, `${resident.map(Math.round)} MiB`);
    ensure(late < 450, `${resident.map(Math.round)} MiB`);
    ensure(medianOf(taken) < 1000, `${medianOf(taken)} ms, at most ${Math.max(...taken)}`);
  });

  test('300 slow connections are ended with 408, and others are served meanwhile', async () => {
    const { host } = attacker;
    const kinds = {
      fields: {
        first: bytesOf(`GET /v1/me HTTP/1.1\r\nHost: ${host}\r\nX-A: `),
        drop: 'a',
        status: 408,
        most: 20,
      },
      body: { first: begun(attacker, 100_000), drop: ' ', status: 408, most: 45 },
      'a body that was refused': {
        first: begun(attacker, 99_999_999),
        drop: ' ',
        status: 413,
        most: 45,
      },
    };
    const slow = Object.entries(kinds).map(([kind, { first, drop, ...expected }]) => ({
      kind,
      ...expected,
      answers: Array.from({ length: 100 }, () => trickle(first, drop).answer),
    }));
    const ordinary = new AbortController();
    const others = serveOthers(ordinary.signal);
    for (const { kind, status, most, answers } of slow) {
      for (const answer of await Promise.all(answers)) {
        expect([kind, answer.status]).toStrictEqual([kind, status]);
        ensure(answer.seconds < most, `${kind}: ${answer.seconds} s`);
      }
    }
    ordinary.abort();
    const taken = await others;
    console.info(
      `${taken.length} others took ${Math.round(medianOf(taken))} ms, at most ${Math.round(Math.max(...taken))}`,
    );
    ensure(taken.length > 20 && medianOf(taken) < 1000, `${taken.length}, ${medianOf(taken)} ms`);
  });
});

test('requests in one go are answered in their order', async () => {
  const many = Buffer.concat([
    ...Array.from({ length: 20 }, () => request('GET', '/v1/me', attacker)),
    request('GET', '/livez', attacker),
  ]);
  const { responses } = await exchange(server.base, many, { responses: 21 });
  expect(responses.map(({ status }) => status)).toStrictEqual(Array(21).fill(200));
  expect(responses.at(-1)?.body).toBe('{"status":"live"}');
});

test('what stands in a body is no request', async () => {
  const hidden = bytesOf('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n');
  const { responses } = await exchange(
    server.base,
    request('GET', '/v1/me', attacker, [], hidden),
    { responses: 2, patience: 300 },
  );
  expect(responses).toHaveLength(1);
});
