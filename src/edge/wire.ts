/** The wire below the application: how long a connection may take, what is no request to us, and how that is said. */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerOptions, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { ApiError, type ErrorCode, messageOf } from '../errors.js';

/** A client that is slow on purpose holds a connection this long and no longer. */
export const serverOptions: ServerOptions = {
  /** Bytes of the request line and all fields. */
  maxHeaderSize: 16 * 1024,
  /** Milliseconds until the fields are there. */
  headersTimeout: 10_000,
  /** Milliseconds until the whole request is there: a body of 1 MiB at 35 KB a second. */
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  // Missing is told by requirePlain, with a body.
  requireHostHeader: false,
};

/** Connections at once; each costs some 20 KB. More are closed as they come. */
const mostConnections = 10_000;

/** Puts the limits on the server that options can't say, and answers what isn't HTTP. */
export function guardServer(server: Server, log: Logger): void {
  server.on('request', toOriginForm);
  server.maxConnections = mostConnections;
  // Node would drop fields past a count without a word; requirePlain refuses them.
  server.maxHeadersCount = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const [status, code, message] = broken[error.code ?? ''] ?? [400, 'invalid_request'];
    endWith(socket, log, status, code, message);
  });
  // Node would close without an answer.
  server.on('connect', (_, socket) => endWith(socket, log, 405, 'method_not_allowed', 'This server is not a proxy.'));
}

const broken: Readonly<Record<string, readonly [status: number, code: ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'invalid_request', 'The header fields are larger than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'payload_too_large', 'The extensions of the chunks are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'invalid_request', 'The request took too long to arrive.'],
};

/** Answers on the bare socket and closes it, unless a response is on its way there already. */
function endWith(socket: Duplex, log: Logger, status: number, code: ErrorCode, message = messageOf(code)): void {
  const { _httpMessage: response } = socket as Duplex & { _httpMessage?: ServerResponse | null };
  if (!socket.writable || response?.headersSent) return void socket.destroy();
  const requestId = randomUUID();
  const body = JSON.stringify({ error: { code, message, request_id: requestId } });
  const fields = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
  ];
  socket.end(`${fields.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  log.info({ requestId, status }, 'request that is no HTTP');
}

/** Of these a proxy might believe the first and we the second, so they come once. */
const singletons: ReadonlySet<string> = new Set(['authorization', 'content-encoding', 'content-type', 'host', 'transfer-encoding']);
const mostFields = 200;
const hostForm = /^(\[[\da-f:.]+\]|[\w.~%!$&'()*+;=-]*)(:\d{1,5})?$/i;

const namesHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host === undefined ? httpVersion === '1.0' : hostForm.test(headers.host);

const absoluteForm = /^https?:\/\/([^:/?#][^/?#]*)(\/.*|\?.*|)$/i;

/** RFC 9112, 3.2.2: a target may be a whole URL, whose authority then counts for Host, which has to be there all the same. What is wrong is left to requirePlain. */
function toOriginForm(request: IncomingMessage): void {
  const [, authority, rest] = absoluteForm.exec(request.url ?? '') ?? [];
  if (authority === undefined || rest === undefined || !namesHost(request)) return;
  request.headers.host = authority;
  request.url = rest.startsWith('/') ? rest : rest === '' && request.method === 'OPTIONS' ? '*' : `/${rest}`;
}

/**
 * Refuses what Node's parser lets through, and others on the way might read in another way than we do.
 * @throws {ApiError} `invalid_request`.
 */
export function requirePlain(request: IncomingMessage): void {
  const { rawHeaders, headers, method, url = '', httpVersion } = request;
  if (rawHeaders.length > 2 * mostFields) refuse(`has more than ${mostFields} header fields`);
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (seen.has(name)) refuse(`gives ${name} more than once`);
    if (singletons.has(name)) seen.add(name);
  }
  if (!namesHost(request)) refuse('must name one host in Host');
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS'))
    refuse('must name its target by a path that begins with "/", or by a whole URL');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    refuse('may have no other Transfer-Encoding than "chunked", and that only over HTTP/1.1');
  }
}

const refuse = (problem: string): never => {
  throw new ApiError('invalid_request', `The request ${problem}.`);
};
