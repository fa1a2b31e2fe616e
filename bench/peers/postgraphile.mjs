/**
 * PostGraphile 5 on Lanyard's tables, as its documentation sets it up for production: its own pool,
 * prepared statements, no watching, no explaining, no page of its own. The token is checked as
 * everywhere; requests name their organization, which is cheaper than row-level security.
 */
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { callerOf } from '../../dist/bench/floor/caller.js';
import { close } from '../../dist/bench/floor/database.js';
import { logRequest, settings } from '../../dist/bench/floor/settings.js';

const { database, poolSize, port } = settings;

const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [
    makePgService({
      connectionString: database,
      schemas: ['public', 'peer'],
      poolConfig: { max: poolSize },
    }),
  ],
  grafast: {
    explain: false,
    context: async ({ node }) => {
      await callerOf(node?.req.headers.authorization);
      return {};
    },
  },
  grafserv: { watch: false, graphiql: false, websockets: false },
});

const server = createServer((request, response) => {
  const started = performance.now();
  response.once('finish', () =>
    logRequest(request.method, request.url, response.statusCode, started),
  );
});
await instance.createServ(grafserv).addTo(server);
await instance.getSchema();
server.listen(port, '127.0.0.1');

process.once('SIGTERM', () =>
  server.close(async () => {
    await Promise.all([instance.release(), close()]);
    process.exit();
  }),
);
