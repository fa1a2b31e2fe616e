/** `lanyard serve`. */
import { resolve } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { App } from '../../app.js';
import { enableOwnApp, ownApps } from '../../auth/apps/own.js';
import { type Config, ConfigError } from '../../config.js';
import { Database } from '../../database/connection.js';
import { undistributedTables } from '../../database/distribution.js';
import { startEmbedded } from '../../database/embedded.js';
import { migrate, pendingMigrations } from '../../database/migrate.js';
import { loadDemo } from '../../demo/load.js';
import { requireFreePort } from '../../http/listen.js';
import { createLogger, terminal } from '../../http/log.js';
import { exitCodeOf } from '../interrupt.js';
import { operator } from '../operations/people.js';
import type { Command } from '../usage.js';
import { open, withDatabase } from './database.js';
import { guardDemo, hasDemoData, requirePrivate } from './demo-guard.js';
import { greet } from './greeting.js';
import { releaseMemory } from './memory.js';

export const serveCommand: Command = {
  does: 'start the server (in development with an embedded PostgreSQL unless DATABASE_URL is set)',
  notes: 'SIGTERM or Ctrl-C stops it; requests in progress are answered first.',
  exits: { 0: 'stopped' },
  async run({ config }) {
    await serve(config);
    return undefined;
  },
};

/** Prepares an embedded database at each start, since its address may change. */
const prepare = (url: string, config: Config) =>
  withDatabase(url, config, async (orm, db) => {
    await migrate(orm);
    // Not loaded beside real organizations, which is not an error: an explicit command can load it.
    if (hasDemoData(config)) await loadDemo(db);
    for (const app of ownApps) await enableOwnApp(db, operator, config, app);
  });

/**
 * Serves until SIGTERM or SIGINT. Then stops in order: requests in progress, the pool, the embedded
 * PostgreSQL.
 */
async function serve(config: Config): Promise<void> {
  // Registered before a PostgreSQL exists that must be stopped.
  const asked = stopped(config.DATABASE_URL !== undefined);
  // Creating a database takes seconds, so the port is checked first. With an existing database the
  // port is tried only once, because a probe would reset clients that connect to it.
  if (!config.DATABASE_URL) await requireFreePort(config);
  if (config.METRICS_PORT)
    await requireFreePort({
      HOST: config.HOST,
      PORT: config.METRICS_PORT,
      variable: 'METRICS_PORT',
    });
  if (!config.DATABASE_URL && hasDemoData(config)) requirePrivate(config);
  const embedded = config.DATABASE_URL ? undefined : await startEmbedded(resolve(config.DATA_DIR));
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  try {
    if (embedded) await prepare(url, config);
    const orm = await open(url, config, { isPooled: config.DATABASE_DIRECT_URL !== undefined });
    // An open pool would keep the process alive after a failed start.
    const isWatched = config.NODE_ENV === 'development' && process.stdout.isTTY;
    const log = createLogger(config.LOG_LEVEL, isWatched ? terminal : undefined);
    const app = await assemble(config, orm, log).catch((error) =>
      orm.close().then(() => Promise.reject(error)),
    );
    try {
      const demo = await guardDemo(new Database(orm.em), config, embedded !== undefined);
      if (config.NODE_ENV === 'production') await releaseMemory();
      await app.listen();
      const lost = embedded?.keep(() =>
        log.error('the embedded PostgreSQL died and is restarted; see postgres.log.previous'),
      );
      if (config.NODE_ENV === 'development') await greet(config, url, demo);
      else log.info({ baseUrl: config.BASE_URL }, 'ready');
      if (demo.people > 0 && config.NODE_ENV === 'production')
        log.warn(
          { people: demo.people },
          'the database has demo people, whose password is public: see “lanyard doctor”',
        );
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
    throw new ConfigError(
      `The database lacks the migrations ${pending.join(', ')}: run "npm run migrate" first.`,
    );
  }
  const db = new Database(orm.em);
  const undistributed = await undistributedTables(db);
  if (undistributed.length > 0)
    throw new ConfigError(
      `The cluster has not distributed ${undistributed.join(', ')}: run "npm run migrate" first.`,
    );
  if (db.isDistributed && config.DATABASE_REPLICA_URL)
    throw new ConfigError(
      'DATABASE_REPLICA_URL has no use on a Citus cluster, whose workers read for themselves: leave it out.',
    );
  // Loaded on demand: only a server needs it, and it is the largest part.
  const { createApp } = await import('../../app.js');
  return createApp(config, orm, log);
}

/**
 * Later signals are ignored, except that a second SIGTERM immediately ends a server without an
 * embedded PostgreSQL. (npm sends Ctrl-C twice.)
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
