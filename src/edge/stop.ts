/** How a server stops: what has come is answered, and nothing is cut that need not be. */
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds that requests under way have to end. */
const grace = 15_000;
/** Milliseconds for requests that are on their way, after which a connection without one is closed. */
const lull = 1000;

/**
 * Takes no new connection. What still comes on the open ones is answered, and each is told to end with its answer: `server.close()` would cut those
 * that are idle at the moment, and reset the requests on their way to them.
 */
export async function endRequests(server: Server): Promise<void> {
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
  // Closing resets the connections that have come and were not taken in yet: a turn of the event loop takes them in.
  await nextTurn();
  const ended = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  // Only once what has arrived meanwhile is read: a connection that a request waits on would be reset.
  const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), lull);
  const end = setTimeout(() => server.closeAllConnections(), grace);
  await ended;
  clearInterval(sweep);
  clearTimeout(end);
}
