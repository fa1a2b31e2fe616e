/** `lanyard serve`. */
import { resolve } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { App } from '../app.js';
import { enableDashboard } from '../auth/apps/dashboard.js';
import { issueToken } from '../auth/tokens.js';
import { type Config, ConfigError } from '../config.js';
import { loadDemo } from '../database/demo/load.js';
import { demoPassword, demoPeople } from '../database/demo/people.js';
import { startEmbedded } from '../database/embedded.js';
import { migrate, pendingMigrations } from '../database/migrate.js';
import { createLogger } from '../edge/log.js';
import { exitCodeOf } from '../operator/interrupt.js';
import { operator } from '../operator/people.js';
import type { Command } from '../operator/usage.js';
import { open, withDatabase } from './database.js';
import { releaseMemory } from './memory.js';

export const serveCommand: Command = {
  does: 'start the server (with an embedded PostgreSQL unless DATABASE_URL is set)',
  notes: 'SIGTERM or Ctrl-C stops it; requests under way are answered first.',
  exits: { 0: 'stopped' },
  async run({ config }) {
    await serve(config);
    return undefined;
  },
};

/** A database of our own is ready as it starts, wherever it listens this time. */
const prepare = (url: string, config: Config) =>
  withDatabase(url, config, async (orm, db) => {
    await migrate(orm);
    await loadDemo(db);
    await enableDashboard(db, operator, config);
  });

/** Serves until SIGTERM or SIGINT; then requests under way end, then the pool, then the embedded PostgreSQL. */
async function serve(config: Config): Promise<void> {
  // From before there is a PostgreSQL that has to be stopped.
  const asked = stopped(config.DATABASE_URL !== undefined);
  const embedded = config.DATABASE_URL ? undefined : await startEmbedded(resolve(config.DATA_DIR));
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  try {
    if (embedded) await prepare(url, config);
    const orm = await open(url, config, { isPooled: config.DATABASE_DIRECT_URL !== undefined });
    // An open pool would keep a process alive that failed to start.
    const log = createLogger(config.LOG_LEVEL);
    const app = await assemble(config, orm, log).catch((error) => orm.close().then(() => Promise.reject(error)));
    try {
      if (config.NODE_ENV === 'production') releaseMemory();
      await app.listen();
      const lost = embedded?.keep(() => log.error('the embedded PostgreSQL died and is started again; postgres.log.previous says why'));
      if (embedded) await greet(config, url);
      await Promise.race([asked, ...(lost ? [lost] : [])]);
    } finally {
      await app.close();
    }
  } finally {
    await embedded?.stop();
  }
}

async function assemble(config: Config, orm: MikroORM, log: Logger): Promise<App> {
  const pending = await pendingMigrations(orm);
  if (pending.length > 0) {
    throw new ConfigError(`The database lacks the migrations ${pending.join(', ')}: run "npm run migrate" first.`);
  }
  // Only a server needs it: it is most of what there is to load.
  const { createApp } = await import('../app.js');
  return createApp(config, orm, log);
}

/**
 * Further signals change nothing, but that a second SIGTERM ends a server at once that has no PostgreSQL of its own to stop. (Of Ctrl-C npm makes two.)
 */
const stopped = (mayEnd: boolean): Promise<void> =>
  new Promise((resolve) => {
    let isAsked = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (isAsked && mayEnd && signal === 'SIGTERM') process.exit(exitCodeOf(signal));
        isAsked = true;
        resolve();
      });
    }
  });

async function greet(config: Config, url: string): Promise<void> {
  const base = config.BASE_URL;
  const accessToken = await withDatabase(url, config, (_, db) => issueToken(db, config, 'manager@skyline.example', 'demo-dashboard'));
  process.stdout.write(`
Lanyard is ready.

  REST      ${base}/v1        described by ${base}/v1/openapi.json
  GraphQL   ${base}/graphql   in a browser: Apollo Sandbox
  Dashboard ${base}/dashboard who is ready for what

Demo people, password "${demoPassword}":
${demoPeople.map(({ email, is }) => `  ${email.padEnd(24)} ${is}`).join('\n')}

A first call (the token lives ten minutes; npm run --silent token -- --user E-MAIL --app CLIENT_ID prints another):

  curl -s ${base}/v1/me -H 'Authorization: Bearer ${accessToken}'

`);
}
