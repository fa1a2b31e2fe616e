/**
 * Graceful shutdown: drains the accept queue, responds to every accepted request, and refuses later
 * connections.
 */
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for requests in progress to finish. */
const closeTimeoutMs = 15_000;
/** Milliseconds for requests on their way; then a connection without one is closed. */
const idleSweepMs = 300;
/**
 * Milliseconds for draining the accept queue. Only Linux connects to its own port synchronously;
 * elsewhere there is one attempt.
 */
const acceptTimeoutMs = process.platform === 'linux' ? 10_000 : 0;
/** Maximum milliseconds of a turn of the event loop in which practically no data arrives unread. */
const moment = 1;

/** The connections of a server; create it before the server listens. */
export class Connections {
  /** The listening sockets of the server. */
  private readonly listeners: NetServer[];
  /** The latest response on each open connection, once there was a request. */
  private readonly newest = new Map<Socket, ServerResponse | undefined>();
  private isEnding = false;

  constructor(private readonly server: Server) {
    this.listeners = [server];
    server.on('connection', (socket) => {
      this.newest.set(socket, undefined);
      socket.once('close', () => this.newest.delete(socket));
    });
    server.on('request', ({ socket }, response) => this.newest.set(socket, response));
  }

  /** Adds another address of the server. */
  add(listener: NetServer): void {
    this.listeners.push(listener);
  }

  /**
   * Whether the response should have `Connection: close`. Not while its request is incomplete, nor
   * before the response to a pipelined request: the system resets a connection that is closed with
   * unread data.
   */
  isLast(response: ServerResponse): boolean {
    return (
      this.isEnding && response.req.complete && this.newest.get(response.req.socket) === response
    );
  }

  /**
   * Accepts no new connection. Requests on open ones get a response, and each is closed with its
   * response, or when it has no request.
   */
  async end(): Promise<void> {
    if (!this.server.listening) return;
    this.isEnding = true;
    const end = setTimeout(() => this.server.closeAllConnections(), closeTimeoutMs);
    const ended: Promise<unknown>[] = [];
    for (const listener of this.listeners) {
      const own = await this.fillQueue(listener);
      // In the same turn. `server.close()` would close idle connections immediately, and reset
      // requests on their way to them.
      ended.push(new Promise((resolve) => NetServer.prototype.close.call(listener, resolve)));
      own.destroy();
    }
    const sweep = setInterval(() => void this.closeIdle(), idleSweepMs);
    await Promise.all(ended);
    clearInterval(sweep);
    clearTimeout(end);
  }

  /**
   * Accepts queued connections until our own is the only one left: the system resets all queued
   * connections when the port closes. Node accepts one per turn of the event loop, and from now on
   * the queue has room for one. Other clients get no response, retry after a second, and are
   * refused then.
   */
  private async fillQueue(listener: NetServer): Promise<Socket> {
    const { address, port } = listener.address() as AddressInfo;
    handleOf(listener)?.listen(0);
    for (const until = performance.now() + acceptTimeoutMs; ; ) {
      await nextTurn();
      const own = connect(port, address).on('error', () => {});
      // Node connects in the next tick, which belongs to the same turn.
      await new Promise<void>(process.nextTick);
      const isThere = handleOf(own)?.getpeername({}) === 0;
      if (isThere || performance.now() > until) return own;
      own.destroy();
    }
  }

  /**
   * Closes each connection after a short turn of the event loop: earlier data is read first, and
   * practically none arrives since. A connection with unread data would be reset.
   */
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

  /**
   * Whether no request has arrived, or none after the last response: Node's keep-alive timeout is
   * then active.
   */
  private isIdle(socket: Socket): boolean {
    const response = this.newest.get(socket);
    return response
      ? response.writableFinished && response.req.complete && Boolean(socket.timeout)
      : socket.bytesRead === 0;
  }
}

/**
 * A private interface of Node, verified against 24.21 and used in this file alone: the backlog of a
 * port can be set again, and whether a socket is connected is known at once. Node has no public way
 * to either. test/http/shutdown.test.ts fails when it is gone. `server.close()` and
 * `closeIdleConnections()` after a pause with `/readyz` at 503 is no substitute: clients that don't
 * ask `/readyz` keep coming, and 7 of 8 such stops under load reset connections that the system had
 * taken in (decision 0033).
 */
interface Handle {
  listen(backlog: number): number;
  getpeername(out: object): number;
}
/** Undefined for a closed socket, also one that failed for lack of descriptors. */
export const handleOf = (socket: NetServer | Socket): Handle | undefined =>
  (socket as unknown as { _handle?: Handle })._handle ?? undefined;
