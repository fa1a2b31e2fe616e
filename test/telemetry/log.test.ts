/** The log has one line for each request, once it is over, however it ends. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { startApp } from '../support/app.js';
import { ensure } from '../support/expect.js';
import { managerEmail, skyline, skylineId, userId } from '../support/names.js';
import { openStream } from '../support/stream.js';

interface Line {
  readonly requestId?: string;
  readonly [property: string]: unknown;
}

const app = await startApp();
const token = await app.token(managerEmail);
const caller = { user: userId(managerEmail), app: 'demo-dashboard' };

/** Waits for the one line of a request. */
async function lineOf(requestId: string): Promise<Line> {
  for (const deadline = performance.now() + 20_000; performance.now() < deadline; await delay(10)) {
    const lines = (app.log as Line[]).filter((line) => line.requestId === requestId);
    if (lines.length > 0) {
      await delay(100);
      expect((app.log as Line[]).filter((line) => line.requestId === requestId)).toHaveLength(1);
      return lines[0] ?? {};
    }
  }
  throw new Error(`no line of ${requestId}`);
}

describe('A line says who asked for what, and what it took', () => {
  test('of REST', async () => {
    await app.rest('GET', `${skyline}/certifications`, {
      token,
      headers: { 'x-request-id': 'rest' },
    });
    const { milliseconds, ...line } = await lineOf('rest');
    expect(typeof milliseconds === 'number' && milliseconds > 0).toBe(true);
    expect(line).toMatchObject({
      method: 'GET',
      status: 200,
      operation: 'ListCertifications',
      statements: 2,
      ...caller,
    });
    expect(!('aborted' in line) && !('trace_id' in line)).toBe(true);
  });

  test('of a GraphQL query, the first time and from then on', async () => {
    const ask = (requestId: string) =>
      app.graphql(
        'query Who { me { user { email } } }',
        {},
        { token, headers: { 'x-request-id': requestId } },
      );
    for (const requestId of ['first', 'second']) {
      await ask(requestId);
      expect(await lineOf(requestId)).toMatchObject({
        path: '/graphql',
        status: 200,
        operation: 'Who',
        statements: 1,
        ...caller,
      });
    }
  });

  test('of a stream, when its reader has left, with the statements of all its looks', async () => {
    const query = `subscription Feed { changes(organizationId: "${skylineId}") { pageInfo { endCursor } } }`;
    const read = async (requestId: string, meanwhile?: () => Promise<unknown>) => {
      const stream = await openStream(app.base, token, { query }, { 'x-request-id': requestId });
      await stream.next();
      // It looks a second time on its own, as soon as it is heard of.
      await delay(300);
      await meanwhile?.();
      // Signs of life are no event.
      while (meanwhile && (await stream.next())?.event !== 'next');
      await delay(300);
      // It is not over yet.
      expect((app.log as Line[]).some((line) => line.requestId === requestId)).toBe(false);
      stream.stop();
      return lineOf(requestId);
    };
    const { milliseconds, statements: ofOneLook, ...line } = await read('stream');
    ensure(Number(milliseconds) >= 300, `${milliseconds} ms`);
    expect(line).toMatchObject({
      path: '/graphql/stream',
      status: 200,
      aborted: true,
      operation: 'Feed',
      ...caller,
    });
    const change = () =>
      app.rest('POST', `${skyline}/certification-types`, { token, body: { title: 'Heard of' } });
    const { statements } = await read('longer', change);
    // The page itself is read once for all followers, and counts for none of them.
    ensure(Number(statements) > Number(ofOneLook), `${ofOneLook}, then ${statements} statements`);
  });

  test('of a request whose client left before there was an answer', async () => {
    await app.db.transaction(async (tx) => {
      await tx.query('lock table certification_types in access exclusive mode');
      const socket = connect(Number(new URL(app.base).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(
        `GET ${skyline}/certification-types HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Request-Id: left\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
      await delay(300);
      socket.destroy();
      await delay(100);
      // Its work goes on.
      expect((app.log as Line[]).some(({ requestId }) => requestId === 'left')).toBe(false);
    });
    const line = await lineOf('left');
    expect(line).toMatchObject({
      aborted: true,
      operation: 'ListCertificationTypes',
      statements: 2,
      ...caller,
    });
    expect('status' in line).toBe(false); // it had no answer
  });
});
