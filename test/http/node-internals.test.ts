/** The interfaces of Node that src/http/node-internals.ts uses are there. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { handleOf, pendingResponse, verifiedVersions } from '../../src/http/node-internals.js';
import { expectInstalled } from '../support/verified.js';

test('the installed version is the one that was verified', () => expectInstalled(verifiedVersions));

test('the handle of a port takes a new backlog, and that of a socket tells whether it is connected', async () => {
  const server = createServer((socket) => socket.destroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  expect(handleOf(server)?.listen(0)).toBe(0);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  expect(handleOf(socket)?.getpeername({})).toBe(0);
  const closed = once(socket, 'close');
  socket.destroy();
  await closed;
  expect(handleOf(socket)).toBeUndefined();
  server.close();
});

test('a connection has its response until that is sent', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean[]>();
  const server = createHttpServer(({ socket }, response) => {
    const before = pendingResponse(socket) === response;
    response.end('', () => setImmediate(() => resolve([before, !pendingResponse(socket)])));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}`)).text();
  expect(await promise).toEqual([true, true]);
  server.close();
  server.closeAllConnections();
});
