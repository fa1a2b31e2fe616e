/** HTTP server limits and timeouts, and responses to malformed requests. */
import { randomUUID } from 'node:crypto';
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { ApiError, type ErrorCode, messageOf } from '../errors.js';
import { pendingResponse } from './node-internals.js';

const requestTimeoutMs = 30_000;

/** Limits how long a slow client can hold a connection. */
export const serverOptions: ServerOptions = {
  /** Maximum bytes of the request line and all header fields. */
  maxHeaderSize: 16 * 1024,
  /** Milliseconds until the header is complete. */
  headersTimeout: 10_000,
  /** Milliseconds until the request is complete: a body of 1 MiB at 35 KB/s. */
  requestTimeout: requestTimeoutMs,
  connectionsCheckingInterval: 1000,
  // requirePlain refuses a missing one, with a body.
  requireHostHeader: false,
};

/** What the server as a whole takes: RFC 9110, 9.3.7. */
export const allMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** Connections at once; each costs some 20 KB. More are closed as they come. */
const maxConnections = 10_000;

/** Milliseconds between two beats, and without one after which the process was not running. */
const beatMs = 500;
const stalledMs = 3000;

/**
 * Notices when the process did not run: stopped by a signal, frozen with its container, or busy.
 * @returns Whether that happened within the time limit of a request. A request that is late then
 * may have waited in the socket.
 */
function watchStalls(server: Server): () => boolean {
  let lastBeat = performance.now();
  let stalledAt = Number.NEGATIVE_INFINITY;
  const beat = (): void => {
    const now = performance.now();
    if (now - lastBeat > stalledMs) stalledAt = now;
    lastBeat = now;
  };
  const timer = setInterval(beat, beatMs).unref();
  server.once('close', () => clearInterval(timer));
  return () => {
    beat();
    return performance.now() - stalledAt < requestTimeoutMs;
  };
}

/** Sets the limits that have no server option, and responds to malformed HTTP. */
export function guardServer(server: Server, log: Logger): void {
  const hasStalled = watchStalls(server);
  server.on('request', toOriginForm);
  // Node would answer 417 by itself, without an id. RFC 9110, 10.1.1 lets a server ignore it.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.maxConnections = maxConnections;
  // Node would silently drop fields beyond a maximum; requirePlain refuses them.
  server.maxHeadersCount = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && hasStalled())
      return endWith(socket, log, 503, 'service_unavailable', undefined, ['Retry-After: 1']);
    const [status, code, message] = broken[error.code ?? ''] ?? [400, 'invalid_request'];
    endWith(socket, log, status, code, message);
  });
  // Node would close without an answer.
  server.on('connect', (_, socket) =>
    endWith(socket, log, 405, 'method_not_allowed', 'This server is not a proxy.', [
      `Allow: ${allMethods}`,
    ]),
  );
}

const broken: Readonly<
  Record<string, readonly [status: number, code: ErrorCode, message: string]>
> = {
  HPE_HEADER_OVERFLOW: [431, 'invalid_request', 'The header fields are larger than 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    'payload_too_large',
    'The extensions of the chunks are too large.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'invalid_request', 'The request took too long to arrive.'],
};

/**
 * Requests of a connection that may wait for their responses. HTTP clients send one at a time, or a
 * few; each takes memory.
 */
const maxPipelined = 32;

/**
 * Passes requests on, and closes the connection of a client that sends many without waiting for
 * responses.
 */
export function limitPipelining(handle: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const count = (unanswered.get(socket) ?? 0) + 1;
    // Node passes on what else it has parsed of a connection that is closed.
    if (count > maxPipelined || socket.destroyed) return void socket.destroy();
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    handle(request, response);
  };
}

/**
 * Answers on the bare socket and closes it, after the response to the request before, if one is
 * due.
 */
function endWith(
  socket: Duplex,
  log: Logger,
  status: number,
  code: ErrorCode,
  message = messageOf(code),
  more: readonly string[] = [],
): void {
  const response = pendingResponse(socket);
  if (!socket.writable || response?.headersSent) return void socket.destroy();
  if (response?.req.complete) {
    // Sent now, it would be taken for the response to the request before.
    response.setHeader('Connection', 'close');
    return void response.once('finish', () => socket.end());
  }
  const requestId = randomUUID();
  const body = JSON.stringify({ error: { code, message, request_id: requestId } });
  const fields = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Cache-Control: no-store',
    'Connection: close',
    ...more,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
  ];
  socket.end(`${fields.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  log.info({ requestId, status }, 'malformed HTTP request');
}

/** With several of these, a proxy might use the first and we the last, so only one is allowed. */
const singletons: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-type',
  'host',
  'transfer-encoding',
]);
const maxFields = 200;
const hostForm = /^(\[[\da-f:.]+\]|[\w.~%!$&'()*+;=-]*)(:\d{1,5})?$/i;

const namesHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host === undefined ? httpVersion === '1.0' : hostForm.test(headers.host);

const absoluteForm = /^https?:\/\/([^:/?#][^/?#]*)(\/.*|\?.*|)$/i;

/**
 * RFC 9112, 3.2.2: a target may be an absolute URL, whose authority replaces Host, which is
 * required all the same. requirePlain refuses mismatches.
 */
function toOriginForm(request: IncomingMessage): void {
  const [, authority, rest] = absoluteForm.exec(request.url ?? '') ?? [];
  if (authority === undefined || rest === undefined) {
    // A URL without an authority, which Koa cannot parse; requirePlain refuses this one.
    if (/^[^/*]/.test(request.url ?? '')) request.url = 'malformed';
    return;
  }
  if (!namesHost(request)) return;
  request.headers.host = authority;
  request.url = rest.startsWith('/')
    ? rest
    : rest === '' && request.method === 'OPTIONS'
      ? '*'
      : `/${rest}`;
}

/**
 * Refuses requests that Node's parser accepts, but that a proxy may interpret differently.
 * @throws {ApiError} `invalid_request`.
 */
export function requirePlain(request: IncomingMessage): void {
  const { rawHeaders, headers, method, url = '', httpVersion } = request;
  if (rawHeaders.length > 2 * maxFields) rejectRequest(`has more than ${maxFields} header fields`);
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (seen.has(name)) rejectRequest(`gives ${name} more than once`);
    if (singletons.has(name)) seen.add(name);
  }
  if (!namesHost(request)) rejectRequest('must name one host in Host');
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS'))
    rejectRequest('must name its target by a path that begins with "/", or by a whole URL');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    rejectRequest(
      'may have no other Transfer-Encoding than "chunked", and that only over HTTP/1.1',
    );
  }
}

const rejectRequest = (problem: string): never => {
  throw new ApiError('invalid_request', `The request ${problem}.`);
};
