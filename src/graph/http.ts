/** The HTTP side of /graphql: who is asking, the body, and the errors that come before a document is read. */
import type { ApolloServer } from '@apollo/server';
import { koaMiddleware } from '@as-integrations/koa';
import type { ParameterizedContext } from 'koa';
import { parseBody, readBody } from '../edge/body.js';
import type { Gate, Identified } from '../edge/gate.js';
import { ApiError } from '../errors.js';
import { extensionsOf, type GraphContext } from './apollo.js';
import { type Claim, claimOf } from './idempotency.js';
import type { TrustedDocuments } from './trusted.js';

type Handle = (ctx: ParameterizedContext, requestId: string) => Promise<void>;

/**
 * Answers a request for /graphql; for a browser that asks for a page, with Apollo Sandbox.
 * @param trusted The only documents that run. Undefined: any.
 */
export function graphqlHandler(server: ApolloServer<GraphContext>, gate: Gate, trusted: TrustedDocuments | undefined): Handle {
  const apollo = koaMiddleware<GraphContext>(server, { context: async ({ ctx }) => (ctx.state as { context: GraphContext }).context });
  return async (ctx, requestId) => {
    // The page brings a policy of its own for what it loads; that it isn't framed, only a header can say.
    ctx.set('Content-Security-Policy', "frame-ancestors 'none'");
    const claim = await readRequest(ctx, gate, requestId);
    Object.assign(ctx.state.context, { claim });
    if (trusted) requireTrusted(ctx, trusted);
    await apollo(ctx as never, async () => {});
  };
}

/** Admits the caller and parses the body. Without a token the request goes on: introspection and the page need none. */
async function readRequest(ctx: ParameterizedContext, gate: Gate, requestId: string): Promise<Claim | undefined> {
  const raw = ctx.method === 'POST' ? await readBody(ctx.req) : Buffer.alloc(0);
  const isAnonymous = ctx.headers.authorization === undefined;
  const context = isAnonymous ? gate.anonymous(requestId) : await gate.admit(ctx.headers, requestId);
  ctx.state.context = context;
  ctx.set(context.fields);
  if (ctx.method === 'POST') (ctx.request as { body?: unknown }).body = requireObject(parseBody(raw));
  const key = ctx.headers['idempotency-key'];
  return key === undefined || isAnonymous ? undefined : claimOf((context as Identified).principal, String(key), ctx.method, ctx.path, raw);
}

/** Puts the text of the trusted document in the place of its id. A GET without a document asks for the page. */
function requireTrusted(ctx: ParameterizedContext, trusted: TrustedDocuments): void {
  if (ctx.method === 'POST') {
    const request = ctx.request as { body?: object };
    request.body = { ...request.body, query: trusted.textOf(request.body ?? {}), extensions: {} };
  } else if (ctx.query.query !== undefined || ctx.query.extensions !== undefined) {
    const { extensions, ...rest } = ctx.query;
    const query = trusted.textOf({ ...rest, extensions: extensions && parseBody(Buffer.from(String(extensions))) });
    ctx.query = { ...rest, query };
  }
}

export function requireObject(body: unknown): object {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new ApiError('invalid_request', 'The body must be a JSON object with a query. Batches are not taken.');
}

/** An error that came before a document was read, in GraphQL's shape. */
export function sendGraphqlError(ctx: ParameterizedContext, error: ApiError, requestId: string): void {
  ctx.status = error.status;
  ctx.body = { errors: [{ message: error.message, extensions: extensionsOf(error, requestId) }] };
}
