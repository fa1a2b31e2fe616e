/**
 * Lanyard's schema as most would write it: Apollo Server as it comes, resolvers that return
 * entities, the same token check.
 */
import 'reflect-metadata';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSchema } from 'type-graphql';
import { initOrm } from '../../src/database/mikro-orm-internals.js';
import { createPool, poolOptions } from '../../src/database/pool.js';
import { checkServer } from '../../src/database/session.js';
import { AuditEvent } from '../../src/entities/change-log.js';
import { callerOf } from '../floor/caller.js';
import { close } from '../floor/database.js';
import { logRequest, settings } from '../floor/settings.js';
import { CertificationEntity, MemberEntity, TypeEntity } from './entities.js';
import { CertificationResolver, type Context, MemberResolver } from './resolvers.js';

// MikroORM's own driver and entity manager, on a pool like Lanyard's.
const { database, poolSize } = settings;
const server = await checkServer(database, false);
const pool = createPool(
  poolOptions(database, { server, poolSize, timeLimits: true, isPooled: false }),
);
const orm = await initOrm(database, pool, {
  entities: [CertificationEntity, MemberEntity, TypeEntity, AuditEvent],
  migrations: {},
});

const apollo = new ApolloServer<Context>({
  schema: await buildSchema({ resolvers: [CertificationResolver, MemberResolver] }),
  plugins: [
    {
      requestDidStart: async () => {
        const started = performance.now();
        return {
          willSendResponse: async ({ request, response }) =>
            logRequest(request.http?.method, '/graphql', response.http.status ?? 200, started),
        };
      },
    },
  ],
});

await startStandaloneServer(apollo, {
  listen: { port: settings.port, host: '127.0.0.1' },
  context: async ({ req }) => {
    const key = req.headers['idempotency-key'];
    return {
      caller: await callerOf(req.headers.authorization),
      em: orm.em.fork(),
      idempotencyKey: key === undefined ? undefined : String(key),
    };
  },
});

process.once('SIGTERM', async () => {
  await apollo.stop();
  await Promise.all([orm.close(), close()]);
});
