/** The private interface of Node that a stop rests on. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { handleOf } from '../../src/http/shutdown.js';

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
