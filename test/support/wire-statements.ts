import { Socket } from 'node:net';

/**
 * SQL texts that this process sends to a PostgreSQL server while `work` runs, in the order of
 * execution. They are read from the messages of the protocol (Parse, Bind, Query), so this depends
 * on no module of the application. Records until the end of the test file.
 * @param url Database URL. Only connections to its port are recorded.
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export class WireStatements {
  readonly #port: number;
  /** Prepared statements of each connection by name. The unnamed statement has the name ''. */
  readonly #prepared = new WeakMap<Socket, Map<string, string>>();
  #recorded: string[] = [];

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
    const wire = this;
    const { write } = Socket.prototype;
    Socket.prototype.write = function (this: Socket, chunk: unknown, ...rest: never[]) {
      if (this.remotePort === wire.#port && chunk instanceof Uint8Array)
        wire.#read(this, Buffer.from(chunk));
      return write.call(this, chunk as Buffer, ...rest);
    };
    afterAll(() => {
      Socket.prototype.write = write;
    });
  }

  async during(work: () => Promise<unknown>): Promise<string[]> {
    this.#recorded = [];
    await work();
    return this.#recorded;
  }

  #read(socket: Socket, buffer: Buffer): void {
    const prepared = this.#prepared.get(socket) ?? new Map<string, string>();
    this.#prepared.set(socket, prepared);
    // The startup message has no type; its length is below 2^24, so its first byte is 0.
    for (
      let at = 0;
      at + 5 <= buffer.length && buffer[at] !== 0;
      at += 1 + buffer.readInt32BE(at + 1)
    ) {
      const type = String.fromCharCode(buffer[at] ?? 0);
      const [first = '', second = ''] = textsOf(
        buffer.subarray(at + 5, at + 1 + buffer.readInt32BE(at + 1)),
      );
      if (type === 'P') prepared.set(first, second);
      if (type === 'B')
        this.#recorded.push(prepared.get(second) ?? `(unknown statement ${second})`);
      if (type === 'Q') this.#recorded.push(first);
    }
  }
}

/** The first two zero-terminated texts of a message. */
function textsOf(message: Buffer): string[] {
  const end = message.indexOf(0);
  const next = message.indexOf(0, end + 1);
  return [
    message.toString('utf8', 0, end),
    next < 0 ? '' : message.toString('utf8', end + 1, next),
  ];
}
