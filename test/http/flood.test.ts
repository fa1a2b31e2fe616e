/** Floods of one caller: what is refused costs little, and what is slow holds no share. */
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { openApp, startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import {
  climberEmail,
  managerEmail,
  memberId,
  skyline,
  skylineId,
  typeId,
} from '../support/names.js';

const app = await startApp();
const token = await app.token(managerEmail);

const upsert =
  'mutation ($o: ID!, $rows: [CertificationUpsert!]!) { upsertCertifications(organizationId: $o, rows: $rows) { updatedCount } }';
/** A body of over 32 KiB. */
const bulk = JSON.stringify({
  query: upsert,
  variables: {
    o: skylineId,
    rows: Array.from({ length: 300 }, (_, index) => ({
      externalSource: 'flood',
      externalId: `${index}`,
      organizationMemberId: memberId(climberEmail),
      certificationTypeId: typeId('osha-30'),
    })),
  },
});

interface Sent {
  readonly socket: Socket;
  /** What came back, once the server has closed the connection or answered. */
  readonly answer: Promise<string>;
}

/** Sends the head of a request, and a part of its body. */
function send(path: string, length: number, part = ''): Sent {
  const { port, hostname } = new URL(app.base);
  const socket = connect(Number(port), hostname);
  const answer = new Promise<string>((resolve, reject) => {
    socket.once('data', (data) => resolve(data.toString()));
    socket.once('error', reject);
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${part}`,
  );
  return { socket, answer };
}

test('a large body over the share of its caller is refused before it is read, and the connection is closed', async () => {
  const [key] = [`upsert ${skylineId}`];
  const answers: Promise<number>[] = [];
  await app.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
    for (let count = 0; count < 9; count++)
      answers.push(
        app.graphql(upsert, JSON.parse(bulk).variables, { token }).then(({ status }) => status),
      );
    await delay(500);
    const { socket, answer } = send('/graphql', 900_000, '{');
    const head = await Promise.race([answer, delay(2000, 'nothing')]);
    socket.destroy();
    expect(head).toMatch(/^HTTP\/1.1 429 /);
    expect(head).toMatch(/\r\nConnection: close\r\n/i);
    expect(head).toMatch(/\r\nRetry-After: 1\r\n/i);
  });
  for (const status of await Promise.all(answers))
    ensure(status === 200 || status === 503, `${status}`);
});

test('bodies that are slow to come hold no share: the same caller, and the organization, are answered meanwhile', async () => {
  const slow = Array.from({ length: 40 }, (_, index) =>
    send(index % 2 ? '/graphql' : `${skyline}/certifications`, 1000, '{'),
  );
  await delay(300);
  const started = performance.now();
  expect((await app.rest('GET', `${skyline}/certifications?limit=1`, { token })).status).toBe(200);
  expect((await app.graphql('{ me { user { id } } }', {}, { token })).status).toBe(200);
  ensure(performance.now() - started < 2000, `${performance.now() - started} ms`);
  for (const { socket } of slow) socket.destroy();
});

test('refusals by the hundred are delayed, and single ones are not', async () => {
  await using limited = await openApp({ RATE_LIMIT_PER_MINUTE: '1' });
  const own = await limited.token(managerEmail);
  const refused = async () => {
    const started = performance.now();
    const response = await fetch(`${limited.base}/v1/me`, {
      headers: { authorization: `Bearer ${own}` },
    });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    return response.status === 429 ? performance.now() - started : 0;
  };
  await limited.rest('GET', '/v1/me', { token: own });
  expect(await refused()).toBeLessThan(400);
  const times: number[] = [];
  // One after the other, so that none of them waits for the others.
  const lane = async () => {
    for (let count = 0; count < 20; count++) times.push(await refused());
  };
  await Promise.all(Array.from({ length: 20 }, lane));
  const delayed = times.filter((time) => time >= 490).length;
  ensure(delayed >= 20, `${delayed} of ${times.length}`);
});
