/** How a server stops: whoever got through to it is answered, and whoever comes too late is refused. */
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds that requests under way have to end. */
const grace = 15_000;
/** Milliseconds for requests that are on their way, after which a connection without one is closed. */
const lull = 300;
/** Milliseconds for taking in who waits at the port. Only Linux connects to itself at once: elsewhere there is one try. */
const patience = process.platform === 'linux' ? 10_000 : 0;
/** Milliseconds of a turn of the event loop in which hardly anything can have come unseen. */
const moment = 1;

/** The connections of a server, made before it listens. */
export class Connections {
  /** The newest answer on each that is open, once it was asked for. */
  private readonly newest = new Map<Socket, ServerResponse | undefined>();
  private isEnding = false;

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.newest.set(socket, undefined);
      socket.once('close', () => this.newest.delete(socket));
    });
    server.on('request', ({ socket }, response) => this.newest.set(socket, response));
  }

  /**
   * Whether the answer is to say `Connection: close`. Not while the rest of its request is still to be read, nor before the answer to a further request that has
   * come already: the system resets a connection that is closed before all is read.
   */
  isLast(response: ServerResponse): boolean {
    return this.isEnding && response.req.complete && this.newest.get(response.req.socket) === response;
  }

  /** Takes no new connection. What comes on the open ones is answered, and each is closed with its answer, or when none is asked for. */
  async end(): Promise<void> {
    if (!this.server.listening) return;
    this.isEnding = true;
    const end = setTimeout(() => this.server.closeAllConnections(), grace);
    const own = await this.fillQueue();
    // In the same turn. `server.close()` would cut what is idle at the moment, and reset the requests on their way to it.
    const ended = new Promise((resolve) => NetServer.prototype.close.call(this.server, resolve));
    own.destroy();
    const sweep = setInterval(() => void this.closeIdle(), lull);
    await ended;
    clearInterval(sweep);
    clearTimeout(end);
  }

  /**
   * Takes in who waits at the port until the only one there is a connection of our own: the system resets all who wait when the port closes. Node takes in one
   * in each turn of the event loop, and from now on there is room for one. Others get no answer, ask again after a second, and are refused then.
   */
  private async fillQueue(): Promise<Socket> {
    const { address, port } = this.server.address() as AddressInfo;
    handleOf(this.server)?.listen(0);
    for (const until = performance.now() + patience; ; ) {
      await nextTurn();
      const own = connect(port, address).on('error', () => {});
      // Node connects in the next tick, which is still the same turn.
      await new Promise<void>(process.nextTick);
      const isThere = handleOf(own)?.getpeername({}) === 0;
      if (isThere || performance.now() > until) return own;
      own.destroy();
    }
  }

  /** Closes each in a turn of its own, and a short one: what has come on it is read first, and hardly anything since. A connection with more to read is reset. */
  private async closeIdle(): Promise<void> {
    for (const socket of this.newest.keys()) {
      for (let isShort = false; !isShort && this.isIdle(socket); ) {
        const started = performance.now();
        await nextTurn();
        isShort = performance.now() - started < moment;
        if (isShort && this.isIdle(socket)) socket.destroy();
      }
    }
  }

  /** Nothing has come yet, or nothing after the last answer: from then until the next byte Node's limit for idle connections is on. */
  private isIdle(socket: Socket): boolean {
    const response = this.newest.get(socket);
    return response ? response.writableFinished && response.req.complete && Boolean(socket.timeout) : socket.bytesRead === 0;
  }
}

/** What Node shows of a socket in no other way: its backlog can be set again, and whether it is connected is known at once. */
interface Handle {
  listen(backlog: number): number;
  getpeername(out: object): number;
}
/** Undefined once it is closed, as one is that can't be made for want of descriptors. */
const handleOf = (socket: NetServer | Socket): Handle | undefined => (socket as unknown as { _handle?: Handle })._handle ?? undefined;
