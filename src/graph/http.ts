/** The HTTP side of /graphql: who is asking, what for, and the errors that come before a document is read. */
import { type ApolloServer, HeaderMap } from '@apollo/server';
import type { ParameterizedContext } from 'koa';
import { parseBody, readBody } from '../edge/body.js';
import type { Gate, Identified } from '../edge/gate.js';
import { toJson } from '../edge/json.js';
import { requireMethod } from '../edge/method.js';
import { ApiError } from '../errors.js';
import { claimOf } from './idempotency.js';
import { checkText } from './limits.js';
import { extensionsOf, type GraphContext, knownOperation, perform } from './perform.js';
import { type GraphRequest, requestOf, requestOfQuery } from './request.js';
import { linkedSandbox } from './sandbox.js';
import type { TrustedDocuments } from './trusted.js';

type Handle = (ctx: ParameterizedContext, requestId: string) => Promise<void>;

/**
 * Answers a request for /graphql; for a browser that asks for a page, with Apollo Sandbox, which holds the query of a link: `?document=…&variables=…`.
 * @param trusted The only documents that run. Undefined: any.
 */
export function graphqlHandler(server: ApolloServer<GraphContext>, gate: Gate, trusted: TrustedDocuments | undefined): Handle {
  return async (ctx, requestId) => {
    // The page brings a policy of its own for what it loads; that it isn't framed, only a header can say. Answers are of their moment.
    ctx.set({ 'Content-Security-Policy': "frame-ancestors 'none'", 'Cache-Control': 'no-store' });
    requireMethod(ctx, 'GET', 'POST');
    const [context, request] = await readRequest(ctx, gate, requestId);
    if (isForPage(ctx, request) && typeof ctx.query.document === 'string') {
      ctx.body = await linkedSandbox(ctx.query.document, request.variables);
      return;
    }
    const query = trusted && !isForPage(ctx, request) ? trusted.textOf(request) : request.query;
    if (query) checkText(query);
    else if (!isForPage(ctx, request)) throw new ApiError('invalid_request', 'The request has no query.');
    await answer(ctx, server, context, { ...request, query });
  };
}

/** Admits the caller and parses the request. Without a token it goes on: introspection and the page need none. */
async function readRequest(ctx: ParameterizedContext, gate: Gate, requestId: string): Promise<[GraphContext, GraphRequest]> {
  const isPost = ctx.method === 'POST';
  const raw = isPost ? await readBody(ctx.req) : Buffer.alloc(0);
  const isAnonymous = ctx.headers.authorization === undefined;
  const context = isAnonymous ? await gate.admitAnonymous(ctx.ip, requestId) : await gate.admit(ctx.headers, requestId);
  ctx.state.context = context;
  ctx.set(context.fields);
  const request = isPost ? requestOf(parseBody(raw)) : requestOfQuery(ctx.querystring);
  const key = isAnonymous ? undefined : ctx.headers['idempotency-key'];
  const claim = key === undefined ? undefined : claimOf((context as Identified).principal, String(key), ctx.method, ctx.path, raw);
  return [{ ...context, claim }, request];
}

const isForPage = (ctx: ParameterizedContext, { query, extensions }: GraphRequest): boolean =>
  ctx.method === 'GET' && query === undefined && extensions === undefined && ctx.accepts('json', 'html') === 'html';

const [plain, response] = ['application/json', 'application/graphql-response+json'];

async function answer(ctx: ParameterizedContext, server: ApolloServer<GraphContext>, context: GraphContext, request: GraphRequest) {
  const type = isForPage(ctx, request) ? 'text/html' : ctx.accepts(plain, response) || plain;
  const { query = '', operationName, variables } = request;
  // What Apollo has parsed and found valid once needs it no more.
  const known = ctx.method === 'POST' && context.principal ? knownOperation(query, operationName) : undefined;
  if (known) {
    ctx.state.operation = known.name;
    const { status, headers, body } = await perform(() => known, variables, context);
    return send(ctx, type, status, { 'content-type': `${type}; charset=utf-8`, ...headers }, toJson(body, '\n'));
  }
  const asked = { query, ...(operationName && { operationName }), ...(variables && { variables }) };
  const answered = await server.executeHTTPGraphQLRequest({
    // A type that we chose: Apollo would run a mutation first, and then refuse an Accept that has none of its types.
    httpGraphQLRequest: {
      method: ctx.method,
      headers: new HeaderMap([['accept', type]]),
      search: ctx.method === 'GET' ? searchOf(asked) : '',
      body: asked,
    },
    context: async () => context,
  });
  ctx.state.operation = knownOperation(query, operationName)?.name;
  if (answered.body.kind !== 'complete') throw new Error('Answers come whole: the schema has nothing to defer.');
  send(ctx, type, answered.status ?? 200, Object.fromEntries(answered.headers), answered.body.string);
}

function send(ctx: ParameterizedContext, type: string, status: number, headers: Readonly<Record<string, string>>, body: string | Buffer) {
  ctx.set(headers);
  ctx.body = body;
  ctx.status = toldStatus(ctx, type, status);
}

const searchOf = (asked: object): string =>
  `?${new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))}`;

/**
 * By the specification, a client that asks for application/json by its name takes any other status than 200 for the word of something in between, where
 * the request was well-formed. One that asks for nothing in particular is told what happened.
 */
const toldStatus = (ctx: ParameterizedContext, type: string, status: number): number =>
  type === plain && ctx.get('accept').includes(plain) && (status === 400 || status === 422) ? 200 : status;

/** An error that came before a document was read, in GraphQL's shape. */
export function sendGraphqlError(ctx: ParameterizedContext, error: ApiError, requestId: string): void {
  ctx.status = error.status;
  ctx.body = { errors: [{ message: error.message, extensions: extensionsOf(error, requestId) }] };
}
