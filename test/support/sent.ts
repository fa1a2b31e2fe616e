import { Socket } from 'node:net';
import { mock } from 'node:test';

/** How often this process sent something to the PostgreSQL of a database meanwhile. */
export async function sentDuring(url: string, work: () => Promise<unknown>): Promise<number> {
  const port = Number(new URL(url).port);
  const write = mock.method(Socket.prototype, 'write');
  try {
    await work();
    return write.mock.calls.filter((call) => (call.this as Socket).remotePort === port).length;
  } finally {
    write.mock.restore();
  }
}
