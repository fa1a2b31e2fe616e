/**
 * HTTP handling of /graphql: authentication, request parsing and errors before the document is
 * read.
 */
import { type ApolloServer, HeaderMap } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import type { Middleware, ParameterizedContext } from 'koa';
import { ApiError } from '../../errors.js';
import { parseBody, readBody } from '../../http/body.js';
import { codingFor, encoded } from '../../http/compression.js';
import { toApiError } from '../../http/error-mapping.js';
import { toJson } from '../../http/json.js';
import type { Admitted, Gate } from '../../http/request-context.js';
import { readDocument } from './document.js';
import { requireUnused } from './execute.js';
import { type Answer, type Claim, claimOf } from './idempotency.js';
import {
  errorsOf,
  type GraphContext,
  knownOperation,
  type Performed,
  perform,
  requestError,
} from './perform.js';
import { UnknownQuery } from './persisted-queries.js';
import { type Documents, type GraphRequest, requestOf, requestOfQuery } from './request.js';

const noBody = Buffer.alloc(0);

/** Maximum size of a request without a token, which needs only a short document. */
const maxAnonymousBytes = 64 * 1024;

/** Handles a request for /graphql. */
export function graphqlHandler(
  server: ApolloServer<GraphContext>,
  gate: Gate,
  documents: Documents,
): Middleware {
  return async (ctx) => {
    const { requestId } = ctx.state;
    // Responses must not be cached or framed.
    ctx.set({ 'Content-Security-Policy': "frame-ancestors 'none'", 'Cache-Control': 'no-store' });
    if (ctx.method !== 'GET' && ctx.method !== 'POST') {
      ctx.set('Allow', 'GET, POST');
      throw new ApiError('method_not_allowed');
    }
    const { status, headers, body } =
      // Introspection needs no token.
      ctx.headers.authorization === undefined
        ? await answer(
            ctx,
            server,
            documents,
            gate.admitAnonymous(requestId),
            await readAnonymous(ctx),
          )
        : await gate.serve(
            ctx.req,
            requestId,
            ctx.method === 'POST' ? readBody : undefined,
            (context, raw) => answer(ctx, server, documents, context, raw),
          );
    ctx.set(headers);
    ctx.body = body;
    ctx.status = status;
  };
}

async function readAnonymous({ method, req }: ParameterizedContext): Promise<Buffer> {
  const raw = method === 'POST' ? await readBody(req) : noBody;
  if (raw.length > maxAnonymousBytes)
    throw new ApiError(
      'payload_too_large',
      'Without an access token a request has at most 64 KiB.',
    );
  return raw;
}

async function answer(
  ctx: ParameterizedContext,
  server: ApolloServer<GraphContext>,
  documents: Documents,
  context: Admitted,
  raw: Buffer,
): Promise<Answer> {
  ctx.state.context = context;
  ctx.set(context.fields);
  const request =
    ctx.method === 'POST' ? requestOf(parseBody(raw)) : requestOfQuery(ctx.querystring);
  const claim = claimIn(ctx, context, request, raw);
  let query: string;
  try {
    query = documents.textOf(request, context.principal);
  } catch (error) {
    if (!(error instanceof UnknownQuery)) throw error;
    const body = { errors: [error.toError(context.requestId)] };
    return answerOf(ctx, { status: 200, headers: {}, body });
  }
  const answered = await run(ctx, server, { ...context, claim }, { ...request, query });
  if (request.persisted || claim) {
    const isValid = knownOperation(query, request.operationName) !== undefined;
    if (isValid) documents.register(request, context.principal);
    // A document that cannot run still reports the reuse of a key.
    else if (claim) await requireUnused(undefined, context, claim);
  }
  return encoded(answered, codingFor(ctx.req, answered.body));
}

/**
 * Only an authenticated caller can have a key. A persisted query is the same request with and
 * without its text: a client that sent the text, because the hash was unknown, retries with the
 * hash.
 */
function claimIn(
  { headers, method, path }: ParameterizedContext,
  { principal }: Admitted,
  { query, ...request }: GraphRequest,
  raw: Buffer,
): Claim | undefined {
  const key = principal && headers['idempotency-key'];
  if (!principal || key === undefined) return undefined;
  const body = request.persisted ? Buffer.from(JSON.stringify(request)) : raw;
  return claimOf(principal, String(key), method, path, body);
}

const [plain, response] = ['application/json', 'application/graphql-response+json'];

async function run(
  ctx: ParameterizedContext,
  server: ApolloServer<GraphContext>,
  context: GraphContext,
  request: GraphRequest,
): Promise<Answer> {
  const { query = '', operationName, variables } = request;
  // Apollo has already parsed and validated the document.
  const known = context.principal && knownOperation(query, operationName);
  if (known && (ctx.method === 'POST' || known.kind === 'query')) {
    ctx.state.operation = known.name;
    return answerOf(ctx, await perform(() => known, variables, context));
  }
  const sender = {
    isAnonymous: !context.principal,
    introspection: context.config.GRAPHQL_INTROSPECTION,
  };
  let document: DocumentNode | undefined;
  try {
    document = readDocument(query, sender);
  } catch (thrown) {
    const error = toApiError(thrown, context.log, context.requestId);
    if (error.code === 'unauthenticated') throw error;
    return answerOf(ctx, requestError(error, context));
  }
  const type = typeFor(ctx);
  const asked = { query, ...(operationName && { operationName }), ...(variables && { variables }) };
  const answered = await server.executeHTTPGraphQLRequest({
    // Sets a type that we chose: Apollo would run a mutation first, and then reject an Accept
    // header without its types.
    httpGraphQLRequest: {
      method: ctx.method,
      headers: new HeaderMap([['accept', type]]),
      search: ctx.method === 'GET' ? searchOf(asked) : '',
      body: asked,
    },
    context: async () => ({ ...context, document }),
  });
  ctx.state.operation = knownOperation(query, operationName)?.name;
  if (answered.body.kind !== 'complete') throw new Error('Incremental delivery is not supported.');
  const status = toldStatus(ctx, type, answered.status ?? 200);
  return { status, headers: Object.fromEntries(answered.headers), body: answered.body.string };
}

const typeFor = (ctx: ParameterizedContext): string => ctx.accepts(plain, response) || plain;

function answerOf(ctx: ParameterizedContext, { status, headers, body }: Performed): Answer {
  const type = typeFor(ctx);
  return {
    status: toldStatus(ctx, type, status),
    headers: { 'content-type': `${type}; charset=utf-8`, ...headers },
    body: toJson(body, '\n'),
  };
}

const searchOf = (asked: object): string =>
  `?${new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))}`;

/**
 * GraphQL over HTTP: a well-formed request gets status 200 when the response is application/json,
 * because clients of that type take another status for an intermediary's and ignore the body.
 * Without an Accept header, the status is that of the error.
 */
const toldStatus = (ctx: ParameterizedContext, type: string, status: number): number =>
  type === plain && ctx.get('accept') !== '' && (status === 400 || status === 422) ? 200 : status;

/** An error raised before a document was read, in GraphQL's shape. */
export function sendGraphqlError(
  ctx: ParameterizedContext,
  error: ApiError,
  requestId: string,
): void {
  ctx.status = error.status;
  ctx.body = { errors: errorsOf(error, requestId) };
}
