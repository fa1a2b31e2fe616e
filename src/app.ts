/** The composition root: everything is made and joined here, and nowhere else. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MikroORM } from '@mikro-orm/postgresql';
import Koa, { type ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import { ensureKeys } from './auth/key-store.js';
import { KeyRing } from './auth/keys.js';
import { patternOf } from './auth/oauth/routes.js';
import { createOAuthServer, isOAuthPath } from './auth/oauth/server.js';
import { Authenticator } from './auth/principal.js';
import type { Config } from './config.js';
import { Database } from './database/connection.js';
import { Listener } from './database/listener.js';
import { Standby } from './database/standby.js';
import { apiCors } from './edge/cors.js';
import { toApiError } from './edge/failure.js';
import { Gate } from './edge/gate.js';
import { createLimiter, RateLimited } from './edge/limiter.js';
import { lineOf } from './edge/log.js';
import { requireMethod } from './edge/method.js';
import { Connections } from './edge/stop.js';
import { guardServer, requirePlain, serverOptions } from './edge/wire.js';
import { ApiError } from './errors.js';
import { startApollo } from './graph/apollo.js';
import { Streams } from './graph/changes/stream.js';
import { graphqlHandler, sendGraphqlError } from './graph/http.js';
import { TrustedDocuments } from './graph/trusted.js';
import { createPortal, isPortalPath } from './portal/index.js';
import { createPublicPages } from './reference/index.js';
import { buildOpenApi } from './rest/openapi.js';
import { readEndpoints } from './rest/operations.js';
import { errorHeaders } from './rest/reply.js';
import { RestRouter, sendError } from './rest/router.js';
import { startIfWanted } from './telemetry/load.js';
import { observer } from './telemetry/observer.js';

type Handle = (ctx: ParameterizedContext, requestId: string) => void | Promise<void>;

export interface App {
  /** Starts to take requests. @returns The port. */
  listen(): Promise<number>;
  /** Takes no more requests, lets those under way end, and closes the pool. */
  close(): Promise<void>;
}

/** @param orm Connected to a migrated database; the app closes it. */
export async function createApp(config: Config, orm: MikroORM, log: Logger): Promise<App> {
  const db = new Database(orm.em);
  const keys = new KeyRing(db, config);
  await ensureKeys(db, config);
  await keys.reload();
  const oauth = await createOAuthServer({ config, db, keys, log });
  const portal = await createPortal({ config, db, keys, oauth, log });
  const limiter = await createLimiter(config.RATE_LIMIT_PER_MINUTE, config.REDIS_URL);
  const standby = Standby.of(config, log);
  const gate = new Gate(config, db, new Authenticator(config, keys, db), limiter, log, standby);
  const endpoints = readEndpoints();
  const rest = new RestRouter(gate, endpoints);
  const trusted = config.GRAPHQL_TRUSTED_DOCUMENTS ? TrustedDocuments.read(config.GRAPHQL_TRUSTED_DOCUMENTS) : undefined;
  const apollo = await startApollo(config);
  const listener = new Listener(config.DATABASE_DIRECT_URL ?? orm.config.get('clientUrl') ?? '', log);
  const streams = new Streams(gate, (organizationId, wake) => listener.listen(organizationId, wake), trusted);
  const description = buildOpenApi(endpoints, config.BASE_URL);
  const openapi = JSON.stringify(description);
  const readiness = { isClosing: false };

  const pages: Record<string, Handle> = {
    ...createPublicPages(endpoints, description, config.BASE_URL),
    // Of the server as a whole: RFC 9110, 9.3.7.
    '*': (ctx) => {
      ctx.set('Allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
      ctx.status = 204;
    },
    '/graphql': graphqlHandler(apollo, gate, trusted),
    '/graphql/stream': streams.handle,
    '/livez': (ctx) => {
      requireMethod(ctx, 'GET', 'HEAD');
      ctx.body = { status: 'live' };
    },
    '/readyz': async (ctx) => {
      requireMethod(ctx, 'GET', 'HEAD');
      if (readiness.isClosing) throw new ApiError('service_unavailable', 'The server is stopping.');
      await db.query('select 1');
      ctx.body = { status: 'ready' };
    },
    '/v1/openapi.json': (ctx) => {
      requireMethod(ctx, 'GET', 'HEAD');
      ctx.type = 'application/json';
      ctx.set('Cache-Control', 'public, max-age=300');
      ctx.body = openapi;
    },
  };

  const handlerOf = (path: string): Handle => {
    if (isOAuthPath(path)) return oauth.handle;
    if (isPortalPath(path)) return portal.handle;
    return pages[path] ?? ((ctx, id) => rest.handle(ctx, id));
  };

  /** What many paths have in common. Anybody may ask for any path, so that of a path that nothing serves is undefined. */
  const routeOf = ({ path, state }: ParameterizedContext): string | undefined => {
    if (isOAuthPath(path)) return patternOf(path);
    if (isPortalPath(path)) return path.replace(/^(\/\w+\/).*/, '$1*');
    return Object.hasOwn(pages, path) ? path : state.route;
  };

  const server = createServer(serverOptions);
  guardServer(server, log);
  const connections = new Connections(server);

  const koa = new Koa({ proxy: config.TRUST_PROXY });
  koa.silent = true;
  // The cookies' keys as they are at each request: they rotate.
  Object.defineProperty(koa, 'keys', { get: () => keys.cookieKeys() });
  koa.use(apiCors);
  koa.use(async (ctx) => {
    const requestId = requestIdOf(ctx.get('x-request-id'));
    const started = performance.now();
    const closed = new Promise((resolve) => ctx.res.once('close', resolve));
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
    // Told once the work is done and the answer is out, or nobody is left to have it.
    void closed.then(() => {
      const line = lineOf(ctx, requestId, started);
      log.info(observed?.traceId ? { ...line, trace_id: observed.traceId } : line, 'request');
      observed?.end({ method: ctx.method, route: routeOf(ctx), status: line.status, statements: line.statements });
    });
  });

  const telemetry = await startIfWanted(config, log, {
    connections: () => ({ primary: db.connections, ...(standby && { standby: standby.connections }) }),
    streams: () => streams.count,
    operations: [...endpoints.map(({ route }) => route.operation), ...(trusted?.names ?? [])],
  });

  server.on('request', koa.callback());
  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(config.PORT, config.HOST, () => resolve((server.address() as AddressInfo).port));
      }),
    async close() {
      readiness.isClosing = true;
      streams.close();
      await connections.end();
      await listener.close();
      await apollo.stop();
      await portal.close();
      await oauth.close();
      await limiter.close();
      await standby?.close();
      await orm.close();
      await telemetry?.stop();
    },
  };
}

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
