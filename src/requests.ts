/** What every request gets, whoever answers it: an id, the shape of errors, and a line in the log. */
import { randomUUID } from 'node:crypto';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import { toApiError } from './edge/failure.js';
import { RateLimited } from './edge/limiter.js';
import { lineOf } from './edge/log.js';
import type { Connections } from './edge/stop.js';
import { requirePlain } from './edge/wire.js';
import type { ApiError } from './errors.js';
import { sendGraphqlError } from './graph/http.js';
import { errorHeaders } from './rest/reply.js';
import { sendError } from './rest/router.js';
import { observer } from './telemetry/observer.js';

export type Handle = (ctx: ParameterizedContext, requestId: string) => void | Promise<void>;

export interface Routing {
  /** Who answers for the path. */
  readonly handlerOf: (path: string) => Handle;
  /** What many paths have in common. Anybody may ask for any path, so that of a path that nothing serves is undefined. */
  readonly routeOf: (ctx: ParameterizedContext) => string | undefined;
}

export const requests =
  ({ handlerOf, routeOf }: Routing, connections: Connections, log: Logger): Middleware =>
  async (ctx) => {
    const requestId = requestIdOf(ctx.get('x-request-id'));
    const started = performance.now();
    const observed = observer?.request(ctx.method, ctx.headers);
    ctx.set('X-Request-Id', requestId);
    ctx.set('X-Content-Type-Options', 'nosniff');
    const answer = async () => {
      try {
        requirePlain(ctx.req);
        await handlerOf(ctx.path)(ctx, requestId);
      } catch (thrown) {
        fail(ctx, toApiError(thrown, log, requestId), requestId);
      }
    };
    await (observed ? observed.run(answer) : answer());
    // Whoever answered, oidc-provider too: without it clients retry at once, or not at all.
    if (ctx.status === 503 && !ctx.response.get('Retry-After')) ctx.set('Retry-After', '1');
    if (connections.isLast(ctx.res)) ctx.set('Connection', 'close');
    const tell = () => {
      const line = lineOf(ctx, requestId, started);
      log.info(observed?.traceId ? { ...line, trace_id: observed.traceId } : line, 'request');
      observed?.end({ method: ctx.method, route: routeOf(ctx), status: line.status, statements: line.statements });
    };
    // Once the work is done and the answer is out, or nobody is left to have it.
    if (ctx.res.closed) tell();
    else ctx.res.once('close', tell);
  };

/** The client's own id, when it can go into headers and logs as it is. */
const requestIdOf = (given: string): string => (/^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID());

const isGraphql = (path: string): boolean => path === '/graphql' || path.startsWith('/graphql/');

function fail(ctx: ParameterizedContext, error: ApiError, requestId: string): void {
  if (error instanceof RateLimited) {
    ctx.set(error.fields);
    observer?.count('rateRefusal');
  }
  ctx.set(errorHeaders(error));
  // RFC 6750: no error code for a request that brought no token.
  if (error.code === 'unauthenticated') ctx.set('WWW-Authenticate', ctx.headers.authorization ? 'Bearer error="invalid_token"' : 'Bearer');
  if (isGraphql(ctx.path)) sendGraphqlError(ctx, error, requestId);
  else sendError(ctx, error, requestId);
}
