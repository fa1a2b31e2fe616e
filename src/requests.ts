/** Middleware for all requests: an id, the format of errors, and a log line. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { Context } from './context.js';
import type { ApiError } from './errors.js';
import { sendGraphqlError } from './graph/execution/http.js';
import { toApiError } from './http/error-mapping.js';
import { challengeOf } from './http/protected-resource.js';
import { RateLimited } from './http/rate-limit.js';
import { largeBodyBytes } from './http/request-context.js';
import { routeOf } from './http/router.js';
import { requirePlain } from './http/server-limits.js';
import type { Connections } from './http/shutdown.js';
import { observer } from './observer.js';
import { errorHeaders } from './rest/reply.js';
import { sendError } from './rest/router.js';

/** Responds with an error page if a browser asked for a page. @returns Whether it did. */
export type ShowErrorPage = (
  ctx: ParameterizedContext,
  error: ApiError,
  requestId: string,
) => boolean;

/** Sets `ctx.state.requestId`, which later middleware reads. */
export const requests =
  (
    showErrorPage: ShowErrorPage,
    connections: Connections,
    config: Config,
    log: Logger,
  ): Middleware =>
  async (ctx, next) => {
    const given = ctx.get('x-request-id');
    // The client's own id, if it is safe for headers and logs.
    const requestId = /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
    ctx.state.requestId = requestId;
    const started = performance.now();
    const observed = observer?.request(ctx.method, ctx.headers);
    ctx.set('X-Request-Id', requestId);
    ctx.set('X-Content-Type-Options', 'nosniff');
    const answer = async () => {
      try {
        requirePlain(ctx.req);
        await next();
      } catch (thrown) {
        const error = toApiError(thrown, log, requestId);
        prepare(ctx, config, error);
        if (isGraphql(ctx.path)) sendGraphqlError(ctx, error, requestId);
        else if (!showErrorPage(ctx, error, requestId)) sendError(ctx, error, requestId);
      }
    };
    await (observed ? observed.run(answer) : answer());
    if (ctx.status === 429) await slowDown();
    // Also for responses of oidc-provider: without it clients retry immediately, or never.
    if (ctx.status === 503 && !ctx.response.get('Retry-After')) ctx.set('Retry-After', '1');
    const isUnread = !ctx.req.complete && hasUnreadRest(ctx);
    if (isUnread || connections.isLast(ctx.res)) ctx.set('Connection', 'close');
    const report = () => {
      const route: string | undefined = ctx.state.route ?? routeOf(ctx);
      const line = lineOf(ctx, requestId, route, started);
      log.info(observed?.traceId ? { ...line, trace_id: observed.traceId } : line, 'request');
      observed?.end({
        method: ctx.method,
        route,
        status: line.status,
        statements: line.statements,
      });
    };
    // After the work is done, and the response is sent or the client has disconnected.
    if (ctx.res.closed) report();
    else ctx.res.once('close', report);
  };

/** Refusals per second that are sent without delay. */
const maxPromptRefusals = 100;
const refusalDelayMs = 500;
const refusals = { second: 0, count: 0 };

/**
 * Delays the refusals of a flood. A client that repeats refused requests immediately would
 * otherwise keep the processor busy; a client that respects Retry-After, of at least a second,
 * loses nothing.
 */
async function slowDown(): Promise<void> {
  const second = Math.floor(performance.now() / 1000);
  if (refusals.second !== second) Object.assign(refusals, { second, count: 0 });
  if (++refusals.count > maxPromptRefusals) await delay(refusalDelayMs);
}

/**
 * Whether the connection of an incomplete request has to end, because of its unread body. The rest of a chunked
 * body may never end, and Node does not skip what is left where reading has begun. In a flood of
 * refusals (429), receiving a large rest would cost more than a new connection.
 */
function hasUnreadRest({ headers, status }: ParameterizedContext): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    (status === 429 && Number(headers['content-length']) > largeBodyBytes)
  );
}

const isGraphql = (path: string): boolean => path === '/graphql' || path.startsWith('/graphql/');

/** Sets the header fields of an error, in any format. */
function prepare(ctx: ParameterizedContext, config: Config, error: ApiError): void {
  if (error instanceof RateLimited) {
    ctx.set(error.fields);
    observer?.count('rateRefusal');
  }
  ctx.set(errorHeaders(error));
  const challenge = challengeOf(config, error, ctx.headers.authorization);
  if (challenge) ctx.set('WWW-Authenticate', challenge);
}

/**
 * The logged form of a path. One-time links are credentials, and a segment longer than a UUID may
 * be a token or secret in the wrong place.
 */
export const toLoggedPath = (path: string): string =>
  path.replace(/^(\/portal\/(?:links|invitations)\/).+/, '$1…').replace(/(^|\/)[^/]{37,}/g, '$1…');

/**
 * The log line of a request, after its response.
 * @param route The path template of its route, if any.
 * @param started When it arrived, as `performance.now()`.
 */
function lineOf(
  ctx: ParameterizedContext,
  requestId: string,
  route: string | undefined,
  started: number,
) {
  const context = ctx.state.context as Context | undefined;
  return {
    requestId,
    method: ctx.method,
    path: toLoggedPath(ctx.path),
    route,
    status: ctx.res.headersSent ? ctx.status : undefined,
    // The client disconnected before the end of the response, as readers of streams do.
    aborted: ctx.res.writableFinished ? undefined : true,
    milliseconds: Math.round((performance.now() - started) * 10) / 10,
    operation: ctx.state.operation as string | undefined,
    user: context?.principal?.userId,
    app: context?.principal?.clientId,
    statements: context?.db.statements,
  };
}
