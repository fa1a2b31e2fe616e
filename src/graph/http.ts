/** The HTTP side of /graphql: who is asking, what for, and the errors that come before a document is read. */
import { type ApolloServer, HeaderMap } from '@apollo/server';
import type { ParameterizedContext } from 'koa';
import { parseBody, readBody } from '../edge/body.js';
import type { Admitted, Gate } from '../edge/gate.js';
import { toJson } from '../edge/json.js';
import { requireMethod } from '../edge/method.js';
import { ApiError } from '../errors.js';
import { type Answer, type Claim, claimOf } from './idempotency.js';
import { checkText } from './limits.js';
import { extensionsOf, type GraphContext, knownOperation, perform } from './perform.js';
import { type GraphRequest, requestOf, requestOfQuery } from './request.js';
import { linkedSandbox } from './sandbox.js';
import type { TrustedDocuments } from './trusted.js';

type Handle = (ctx: ParameterizedContext, requestId: string) => Promise<void>;

const noBody = Buffer.alloc(0);

/**
 * Answers a request for /graphql; for a browser that asks for a page, with Apollo Sandbox, which holds the query of a link: `?document=…&variables=…`.
 * @param trusted The only documents that run. Undefined: any.
 */
export function graphqlHandler(server: ApolloServer<GraphContext>, gate: Gate, trusted: TrustedDocuments | undefined): Handle {
  return async (ctx, requestId) => {
    // The page brings a policy of its own for what it loads; that it isn't framed, only a header can say. Answers are of their moment.
    ctx.set({ 'Content-Security-Policy': "frame-ancestors 'none'", 'Cache-Control': 'no-store' });
    requireMethod(ctx, 'GET', 'POST');
    const raw = ctx.method === 'POST' ? await readBody(ctx.req) : noBody;
    const work = (context: Admitted) => answer(ctx, server, trusted, context, raw);
    // Introspection and the page need no token.
    const isAnonymous = ctx.headers.authorization === undefined;
    const { status, headers, body } = isAnonymous
      ? await work(await gate.admitAnonymous(ctx.ip, requestId))
      : await gate.serve(ctx.headers, requestId, work);
    ctx.set(headers);
    ctx.body = body;
    ctx.status = status;
  };
}

async function answer(
  ctx: ParameterizedContext,
  server: ApolloServer<GraphContext>,
  trusted: TrustedDocuments | undefined,
  context: Admitted,
  raw: Buffer,
): Promise<Answer> {
  ctx.state.context = context;
  ctx.set(context.fields);
  const request = ctx.method === 'POST' ? requestOf(parseBody(raw)) : requestOfQuery(ctx.querystring);
  const isPage = isForPage(ctx, request);
  if (isPage && typeof ctx.query.document === 'string')
    return {
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      body: await linkedSandbox(ctx.query.document, request.variables),
    };
  const query = trusted && !isPage ? trusted.textOf(request) : request.query;
  if (query) checkText(query);
  else if (!isPage) throw new ApiError('invalid_request', 'The request has no query.');
  return run(ctx, server, { ...context, claim: claimIn(ctx, context, raw) }, { ...request, query });
}

/** Only who is known can have a key. */
function claimIn({ headers, method, path }: ParameterizedContext, { principal }: Admitted, raw: Buffer): Claim | undefined {
  const key = principal && headers['idempotency-key'];
  return principal && key !== undefined ? claimOf(principal, String(key), method, path, raw) : undefined;
}

const isForPage = (ctx: ParameterizedContext, { query, extensions }: GraphRequest): boolean =>
  ctx.method === 'GET' && query === undefined && extensions === undefined && ctx.accepts('json', 'html') === 'html';

const [plain, response] = ['application/json', 'application/graphql-response+json'];

async function run(
  ctx: ParameterizedContext,
  server: ApolloServer<GraphContext>,
  context: GraphContext,
  request: GraphRequest,
): Promise<Answer> {
  const type = isForPage(ctx, request) ? 'text/html' : ctx.accepts(plain, response) || plain;
  const { query = '', operationName, variables } = request;
  // What Apollo has parsed and found valid once needs it no more.
  const known = ctx.method === 'POST' && context.principal ? knownOperation(query, operationName) : undefined;
  if (known) {
    ctx.state.operation = known.name;
    const { status, headers, body } = await perform(() => known, variables, context);
    const told = { 'content-type': `${type}; charset=utf-8`, ...headers };
    return { status: toldStatus(ctx, type, status), headers: told, body: toJson(body, '\n') };
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
  const status = toldStatus(ctx, type, answered.status ?? 200);
  return { status, headers: Object.fromEntries(answered.headers), body: answered.body.string };
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
