import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAnswer } from '../../src/http/background.js';
import { createLogger } from '../../src/http/log.js';

const lines: string[] = [];
const log = createLogger('error', { write: (line: string) => void lines.push(line) });
const server = createServer();
await once(server.listen(0, '127.0.0.1'), 'listening');
afterAll(() => server.close());

/** A request, as the server has it, and what its client gets. */
async function request() {
  const arrived = once(server, 'request');
  const answer = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [, res] = (await arrived) as [unknown, ServerResponse];
  return { res, answer };
}

test('nothing is done before the answer is out', async () => {
  const { res, answer } = await request();
  const done = Promise.withResolvers<boolean>();
  afterAnswer(res, log, 'r', async () => done.resolve(res.writableFinished));
  res.end('answer');
  expect(await done.promise).toBe(true);
  expect(await (await answer).text()).toBe('answer');
});

test('what fails is logged under the request, and the answer is as it was', async () => {
  const { res, answer } = await request();
  const logged = once(res, 'close');
  afterAnswer(res, log, 'the-request', () => Promise.reject(new Error('no room')));
  res.end('answer');
  expect((await answer).status).toBe(200);
  await logged;
  expect(lines.join('')).toMatch(/the-request.*no room|no room.*the-request/);
});
