/** SIGTERM under load: whoever was taken in is answered. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '../support/database.js';
import { skyline, skylineId } from '../support/names.js';
import { openStream } from '../support/stream.js';
import { type Fleet, sized, startFleet } from './fleet.js';
import { Load } from './load.js';

const { url, drop } = await createDatabase();
after(drop);
const fleet = await startFleet(url);
const types = `${skyline}/certification-types?limit=1`;

const serverOf = (number: number): Fleet['servers'][number] => fleet.servers[number] ?? assert.fail();
const stop = (number: number) => serverOf(number).child.kill('SIGTERM');

/** A connection that is kept alive, and a request on it written by hand. */
async function open(base: string): Promise<Socket> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}
const requestOf = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: lanyard\r\nAuthorization: Bearer ${fleet.token}\r\n\r\n`;
/** What comes until the connection ends, or until there is an answer. */
async function answerOn(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data', { signal: AbortSignal.timeout(10_000) })) as [Buffer];
  return data.toString();
}

test('under load, round after round: what was answered is there, streams end cleanly, and the exit code is 0', async (t) => {
  const took: number[] = [];
  // The system resets connections that come while the server closes its port: nothing took them in.
  await Load.during(t, fleet, { mayLose: 'any' }, async () => {
    for (let round = 0; round < sized(2, 10); round++) {
      const number = round % 2;
      const query = `subscription { changes(organizationId: "${skylineId}") { nodes { resourceId } } }`;
      const stream = await openStream(serverOf(number).base, fleet.token, { query });
      assert.equal((await stream.next())?.event, 'next');
      await delay(300);
      const started = performance.now();
      stop(number);
      while (await stream.next());
      assert.equal(await serverOf(number).ended, 0);
      took.push(performance.now() - started);
      await fleet.restart(number);
    }
  });
  t.diagnostic(`gone after ${took.map((each) => each.toFixed(0)).join(', ')} ms`);
});

describe('what was taken in before SIGTERM', () => {
  const restart = (number: number) => fleet.restart(number);

  test('a request that waits for the database, and those that come on idle connections: all are answered, the last on their connections', async () => {
    const { base, ended } = serverOf(0);
    const busy = await open(base);
    const idle = await Promise.all(Array.from({ length: 30 }, () => open(base)));
    const askOnIdle = () =>
      Promise.all(
        idle.map(async (socket) => {
          await delay(randomInt(300));
          socket.write(requestOf('/v1/me'));
          return answerOn(socket);
        }),
      );
    for (const answer of await askOnIdle()) assert.match(answer, /^HTTP\/1.1 200/);
    await fleet.db.transaction(async (tx) => {
      await tx.query('lock table certification_types');
      busy.write(requestOf(types));
      await delay(300);
      stop(0);
      for (const answer of await askOnIdle()) {
        assert.match(answer, /^HTTP\/1.1 200/);
        assert.match(answer, /^connection: close/im);
      }
      await delay(500);
    });
    assert.match(await answerOn(busy), /^HTTP\/1.1 200/);
    assert.equal(await ended, 0);
    await restart(0);
  });

  test('a second SIGTERM ends the server at once, whatever is under way', async () => {
    const { base, ended } = serverOf(1);
    const busy = await open(base);
    busy.on('error', () => {});
    await fleet.db.transaction(async (tx) => {
      await tx.query('lock table certification_types');
      busy.write(requestOf(types));
      await delay(300);
      stop(1);
      await delay(300);
      const started = performance.now();
      stop(1);
      assert.equal(await ended, 143);
      assert.ok(performance.now() - started < 1000);
    });
    await restart(1);
  });
});
