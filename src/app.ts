/** The composition root: everything is made and joined here, and nowhere else. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MikroORM } from '@mikro-orm/postgresql';
import Koa, { type ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import { ensureKeys } from './auth/key-store.js';
import { KeyRing } from './auth/keys.js';
import { isOAuthPath, patternOf } from './auth/oauth/routes.js';
import { createOAuthServer } from './auth/oauth/server.js';
import { Authenticator } from './auth/principal.js';
import type { Config } from './config.js';
import { Database } from './database/connection.js';
import { Listener } from './database/listener.js';
import { Standby } from './database/standby.js';
import { apiCors } from './edge/cors.js';
import { Gate } from './edge/gate.js';
import { createLimiter } from './edge/limiter.js';
import { requireMethod } from './edge/method.js';
import { Connections } from './edge/stop.js';
import { guardServer, serverOptions } from './edge/wire.js';
import { ApiError } from './errors.js';
import { startApollo } from './graph/apollo.js';
import { Streams } from './graph/changes/stream.js';
import { graphqlHandler } from './graph/http.js';
import { TrustedDocuments } from './graph/trusted.js';
import { createPortal, isPortalPath } from './portal/index.js';
import { createPublicPages } from './reference/index.js';
import { type Handle, requests } from './requests.js';
import { buildOpenApi } from './rest/openapi.js';
import { readEndpoints } from './rest/operations.js';
import { RestRouter } from './rest/router.js';
import { startIfWanted } from './telemetry/load.js';

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
  koa.use(requests({ handlerOf, routeOf }, connections, log));

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
