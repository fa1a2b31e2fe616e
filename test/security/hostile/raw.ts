/**
 * HTTP over a bare socket: bytes go out as they are written, however wrong, and all that comes back
 * is read.
 */
import { connect, type Socket } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** Status line and fields, as they came. */
  readonly head: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface Exchange {
  readonly responses: readonly RawResponse[];
  /** From the last byte sent to the first that came back; to the end where none did. */
  readonly milliseconds: number;
}

export interface SendOptions {
  /** Responses after which the connection counts as answered. */
  readonly responses?: number;
  /** Milliseconds after which it is given up. */
  readonly patience?: number;
}

/**
 * Opens a connection to the server. What breaks it shows in what came back, so its errors are heard
 * and left alone.
 */
export function open(base: string): Socket {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  return socket.setNoDelay();
}

/**
 * Sends the bytes on a connection of their own, and reads until the responses are there or the
 * server closed.
 */
export function exchange(
  base: string,
  bytes: string | Uint8Array,
  { responses = 1, patience = 30_000 }: SendOptions = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = open(base);
    const chunks: Buffer[] = [];
    let [sent, first] = [performance.now(), 0];
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve({
        responses: parse(Buffer.concat(chunks)),
        milliseconds: (first || performance.now()) - sent,
      });
    };
    const timer = setTimeout(finish, patience);
    socket.on('connect', () => {
      sent = performance.now();
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, () => {
        sent = performance.now();
      });
    });
    socket.on('data', (chunk) => {
      first ||= performance.now();
      chunks.push(chunk);
      // A moment more shows a response too many.
      if (parse(Buffer.concat(chunks)).length >= responses) setTimeout(finish, 5);
    });
    socket.on('close', finish);
  });
}

/** The complete responses among the bytes. */
export function parse(bytes: Buffer): RawResponse[] {
  const found: RawResponse[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const head = rest.subarray(0, end).toString('latin1');
    const [line = '', ...fields] = head.split('\r\n');
    const headers = new Headers(
      fields.map((field): [string, string] => [
        field.slice(0, field.indexOf(':')),
        field.slice(field.indexOf(':') + 1),
      ]),
    );
    const after = rest.subarray(end + 4);
    const length = bodyLength(headers, after);
    if (length === undefined || after.length < length) break;
    found.push({
      status: Number(line.split(' ')[1]),
      head,
      headers,
      body: after.subarray(0, length).toString(),
    });
    rest = after.subarray(length);
  }
  return found;
}

/** Undefined while the end of a chunked body is still to come. */
function bodyLength(headers: Headers, after: Buffer): number | undefined {
  if (!/chunked/i.test(headers.get('transfer-encoding') ?? ''))
    return Number(headers.get('content-length') ?? 0);
  const end = after.indexOf('0\r\n\r\n');
  return end < 0 ? undefined : end + 5;
}
