/** The composition root: creates and connects all parts. */
import { createServer } from 'node:http';
import type { MikroORM } from '@mikro-orm/postgresql';
import Koa, { type Middleware } from 'koa';
import type { Logger } from 'pino';
import { ensureKeys } from './auth/key-store.js';
import { KeyRing } from './auth/keys.js';
import { createOAuthServer } from './auth/oauth/server.js';
import { Authenticator } from './auth/principal.js';
import type { Config } from './config.js';
import { Database } from './database/connection.js';
import { Listener } from './database/listener.js';
import { Standby } from './database/standby.js';
import { startApollo } from './graph/execution/apollo.js';
import { graphqlHandler } from './graph/execution/http.js';
import { isForPage } from './graph/execution/page.js';
import { PersistedQueries } from './graph/execution/persisted-queries.js';
import { Streams } from './graph/execution/stream.js';
import { TrustedDocuments } from './graph/execution/trusted-documents.js';
import { constantBody } from './http/compression.js';
import { apiCors } from './http/cors.js';
import { createHealth } from './http/health.js';
import { listenOn, portOf, twinOf } from './http/listen.js';
import { resourceMetadata, resourceMetadataPaths } from './http/protected-resource.js';
import { createLimiter, limitStrangers, Strangers } from './http/rate-limit.js';
import { Gate } from './http/request-context.js';
import { createRouter, refuseUnrouted } from './http/router.js';
import { allMethods, guardServer, limitPipelining, serverOptions } from './http/server-limits.js';
import { Connections } from './http/shutdown.js';
import { createPortal } from './portal/index.js';
import { showErrorPage } from './reference/error.js';
import { createPublicPages } from './reference/index.js';
import { securityTxt } from './reference/security-txt.js';
import { requests } from './requests.js';
import { buildOpenApi } from './rest/openapi.js';
import { readEndpoints } from './rest/operations.js';
import { createRestRouter } from './rest/router.js';
import { startIfWanted } from './telemetry/load.js';

export interface App {
  /**
   * Starts to accept requests.
   * @returns The port.
   * @throws {StartError} when it is unavailable.
   */
  listen(): Promise<number>;
  /** Stops accepting requests, waits for those in progress, and closes the pool. */
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
  const authenticator = new Authenticator(config, keys, db);
  const gate = new Gate(config, db, authenticator, limiter, log, standby);
  const strangers = new Strangers(config.RATE_LIMIT_PER_MINUTE);
  const limit = limitStrangers(strangers, authenticator);
  const endpoints = readEndpoints();
  const trusted = config.GRAPHQL_TRUSTED_DOCUMENTS
    ? TrustedDocuments.read(config.GRAPHQL_TRUSTED_DOCUMENTS)
    : undefined;
  const documents = trusted ?? new PersistedQueries();
  const apollo = await startApollo();
  const listener = new Listener(
    config.DATABASE_DIRECT_URL ?? orm.config.get('clientUrl') ?? '',
    log,
    db.isDistributed,
  );
  const streams = new Streams(
    gate,
    (organizationId, wake) => listener.listen(organizationId, wake),
    documents,
  );
  const description = buildOpenApi(endpoints, config.BASE_URL);
  const openapi = constantBody(JSON.stringify(description));
  const health = createHealth(db);

  const graphqlRouter = createRouter();
  const graphql = graphqlHandler(apollo, gate, documents);
  // All methods: GraphQL over HTTP has GET and POST, and no HEAD. A browser's page request falls
  // through to the portal.
  graphqlRouter.all('/graphql', (ctx, next) =>
    isForPage(ctx) ? next() : limit(ctx, () => graphql(ctx, next)),
  );
  graphqlRouter.post('/graphql/stream', limit, streams.handle);

  const documentRouter = createRouter();
  const metadata = resourceMetadata(config);
  const cacheable: Middleware = (ctx, next) => {
    ctx.set('Cache-Control', 'public, max-age=300');
    return next();
  };
  documentRouter.get([...resourceMetadataPaths], cacheable, (ctx) => {
    ctx.body = metadata;
  });
  documentRouter.get('/v1/openapi.json', cacheable, async (ctx) => {
    const { headers, body } = await openapi(ctx.req);
    ctx.set(headers);
    ctx.body = body;
    ctx.type = 'application/json';
  });
  documentRouter.get('/.well-known/security.txt', securityTxt(config));
  // OPTIONS of the server as a whole: RFC 9110, 9.3.7.
  documentRouter.options('*', /^\*$/, (ctx) => {
    ctx.set('Allow', allMethods);
    ctx.status = 204;
  });

  const server = createServer(serverOptions);
  guardServer(server, log);
  const connections = new Connections(server);

  // With several addresses, the last is the proxy's own; clients can forge the others.
  const koa = new Koa({ proxy: config.TRUST_PROXY, maxIpsCount: 1 });
  koa.silent = true;
  // Current cookie keys at each request, because they rotate.
  Object.defineProperty(koa, 'keys', { get: () => keys.cookieKeys() });
  if (config.BASE_URL.startsWith('https:'))
    koa.use((ctx, next) => {
      // RFC 6797. Without subdomains, which do not belong to this server.
      ctx.set('Strict-Transport-Security', 'max-age=31536000');
      return next();
    });
  koa.use(apiCors);
  koa.use(requests(showErrorPage, connections, config, log));
  // The API first: a request that has a route of it passes nothing else.
  koa.use(createRestRouter(gate, endpoints, limit).routes());
  koa.use(oauth.middleware);
  koa.use(refuseUnrouted);
  // In this order: a router tries its routes one by one.
  const routers = [
    graphqlRouter,
    health.router,
    documentRouter,
    createPublicPages(endpoints, description, config.BASE_URL, limit),
    ...portal.routers,
  ];
  for (const router of routers) koa.use(router.routes());
  // Also for requests without a route.
  koa.use(limit);

  const telemetry = await startIfWanted(config, log, {
    connections: () => ({
      primary: db.connections,
      ...(standby && { standby: standby.connections }),
    }),
    streams: () => streams.count,
    operations: [...endpoints.map(({ route }) => route.operation), ...(trusted?.names ?? [])],
  });

  server.on('request', limitPipelining(koa.callback()));
  return {
    async listen() {
      const second = await listenOn(config, server, () => twinOf(server));
      if (second) connections.add(second);
      return portOf(server);
    },
    async close() {
      health.stop();
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
