/** A proxy between server and PostgreSQL that delays what passes, as a network does. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface DelayedDatabase {
  /** The URL of the database through the proxy. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Runs in the process of the benchmark, away from the core of the servers.
 * @param roundTripMs Half of it is added in each direction.
 */
export async function delayed(database: string, roundTripMs: number): Promise<DelayedDatabase> {
  const { hostname, port } = new URL(database);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket.setNoDelay());
    // The other end closes, too; the reason for it does not matter.
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  };
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      keep(from);
      // Timers of the same length fire in the order in which they were set.
      from.on('data', (chunk) => setTimeout(() => to.writable && to.write(chunk), roundTripMs / 2));
      from.once('close', () => setTimeout(() => to.destroy(), roundTripMs / 2));
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = Object.assign(new URL(database), {
    hostname: '127.0.0.1',
    port: String((proxy.address() as AddressInfo).port),
  });
  return {
    url: url.href,
    async stop() {
      const closed = once(proxy, 'close');
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
