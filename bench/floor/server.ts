/**
 * The floor: the operations of the benchmark by hand over node:http and pg, as fast as it goes
 * without giving up what is checked and written.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Caller, callerOf, Refused } from './caller.js';
import { close } from './database.js';
import { listResults } from './evaluation.js';
import { graph } from './graph.js';
import { getRecord, listRecords, me } from './records.js';
import { refresh } from './refresh.js';
import { putRequirements } from './requirements.js';
import { logRequest, settings } from './settings.js';
import { type Answer, createRecord } from './writes.js';

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const ok = (body: object): Answer => ({ status: 200, body: JSON.stringify(body) });

async function answer(request: IncomingMessage, requestId: string): Promise<Answer> {
  const [path = '', search = ''] = (request.url ?? '').split('?');
  if (path === '/readyz') return ok({ status: 'ready' });
  if (path === '/auth/v1/oauth/token')
    return ok(await refresh(new URLSearchParams((await bodyOf(request)).toString())));
  const caller = await callerOf(request.headers.authorization);
  if (path === '/v1/me') return ok(me(caller));
  if (path === '/graphql')
    return ok(await graph(caller, JSON.parse((await bodyOf(request)).toString())));
  const [, , collection, id = '', below, belowId = '', further] = path.split('/');
  if (collection === 'certifications') return ok(await getRecord(caller, id));
  if (collection !== 'organizations') throw new Refused(404);
  if (request.method === 'POST') return create(caller, id, request, path, requestId);
  if (request.method === 'PUT') {
    const { requirements } = JSON.parse((await bodyOf(request)).toString());
    return ok(await putRequirements(caller, id, belowId, requirements, requestId));
  }
  if (below === 'certifications')
    return ok(await listRecords(caller, id, new URLSearchParams(search)));
  if (further === 'qualifications') return ok(await listResults(caller, id, belowId));
  throw new Refused(404);
}

async function create(
  caller: Caller,
  organizationId: string,
  request: IncomingMessage,
  path: string,
  requestId: string,
): Promise<Answer> {
  const raw = await bodyOf(request);
  const key = request.headers['idempotency-key'];
  return createRecord(
    caller,
    organizationId,
    JSON.parse(raw.toString()),
    requestId,
    key === undefined ? undefined : { key: String(key), path, raw },
  );
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const started = performance.now();
  const requestId = crypto.randomUUID();
  const { status, body } = await answer(request, requestId).catch((error: unknown): Answer => {
    if (!(error instanceof Refused)) process.stderr.write(`${(error as Error).stack}\n`);
    return { status: error instanceof Refused ? error.status : 500, body: '{}' };
  });
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
  });
  response.end(body);
  logRequest(request.method, request.url, status, started);
}

const server = createServer((request, response) => void handle(request, response));
server.listen(settings.port, '127.0.0.1');
process.once('SIGTERM', () => server.close(() => void close()));
