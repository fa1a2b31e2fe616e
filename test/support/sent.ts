import { Socket } from 'node:net';

/** How often this process sent something to the PostgreSQL of a database meanwhile. */
export async function sentDuring(url: string, work: () => Promise<unknown>): Promise<number> {
  const port = Number(new URL(url).port);
  const write = jest.spyOn(Socket.prototype, 'write');
  try {
    await work();
    return write.mock.contexts.filter((socket) => (socket as unknown as Socket).remotePort === port)
      .length;
  } finally {
    write.mockRestore();
  }
}
