/**
 * Stands between servers and PostgreSQL, reads enough of the protocol to see a commit, and fails as
 * told.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../support/server.js';

/**
 * What the next commit meets: its connection is cut before PostgreSQL sees it, or once PostgreSQL
 * has answered and before the server knows.
 */
export type Cut = 'before commit' | 'after commit';

export interface Proxy {
  /** The database by way of the proxy. */
  readonly url: string;
  /** Cuts the connection of the next commit. @returns Resolves once it is done. */
  cut(how: Cut): Promise<void>;
  /**
   * Lets nothing through, either way, and leaves all connections open: a network that swallows
   * packets.
   */
  stall(): void;
  /** Lets everything through again, what had waited first. */
  resume(): void;
  /** Puts these bytes in place of the next that PostgreSQL sends. */
  garble(bytes: Buffer): void;
}

export async function startProxy(url: string): Promise<Proxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let plan: { readonly how: Cut; readonly done: () => void } | undefined;
  let isStalled = false;
  let garbage: Buffer | undefined;

  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    const close = () => {
      for (const socket of [client, database]) {
        socket.destroy();
        sockets.delete(socket);
      }
    };
    let isCommitted: (() => void) | undefined;
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', close).on('close', close);
      if (isStalled) socket.pause();
    }
    const framed = new Frames();
    client.on('data', (data) => {
      if (framed.push(data).some(isCommit) && plan) {
        const { how, done } = plan;
        plan = undefined;
        if (how === 'before commit') {
          close();
          return done();
        }
        isCommitted = done;
      }
      database.write(data);
    });
    database.on('data', (data) => {
      const sent = garbage ?? data;
      garbage = undefined;
      if (!isCommitted) return client.write(sent);
      close();
      isCommitted();
    });
  });
  const port = await freePort();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  afterAll(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });

  const own = new URL(url);
  own.port = String(port);
  const pauseAll = (how: 'pause' | 'resume') => {
    isStalled = how === 'pause';
    for (const socket of sockets) socket[how]();
  };
  return {
    url: own.href,
    cut: (how) =>
      new Promise((done) => {
        plan = { how, done };
      }),
    stall: () => pauseAll('pause'),
    resume: () => pauseAll('resume'),
    garble(bytes) {
      garbage = bytes;
    },
  };
}

/**
 * A message that a client sends: its type, and the rest after the length. The first has no type.
 */
interface Message {
  readonly type: string;
  readonly body: Buffer;
}

/** On its own as text, or prepared without a name behind the transaction's last statement. */
const isCommit = ({ type, body }: Message): boolean =>
  'QP'.includes(type) && /^\0?commit\0/i.test(body.toString('latin1'));

/** Cuts a client's stream into its messages, wherever the packets end. */
class Frames {
  private rest = Buffer.alloc(0);
  private isStarted = false;

  push(data: Buffer): Message[] {
    this.rest = Buffer.concat([this.rest, data]);
    const messages: Message[] = [];
    for (;;) {
      const typeLength = this.isStarted ? 1 : 0;
      if (this.rest.length < typeLength + 4) return messages;
      const length = typeLength + this.rest.readInt32BE(typeLength);
      if (this.rest.length < length) return messages;
      messages.push({
        type: this.rest.toString('latin1', 0, typeLength),
        body: this.rest.subarray(typeLength + 4, length),
      });
      this.rest = this.rest.subarray(length);
      this.isStarted = true;
    }
  }
}
