/** What the command line does. */
import { resolve } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { App } from './app.js';
import { enableDashboard } from './auth/apps/dashboard.js';
import { ensureKeys } from './auth/key-store.js';
import { issueToken } from './auth/tokens.js';
import { type Config, ConfigError } from './config.js';
import { type ConnectOptions, connect, Database } from './database/connection.js';
import { loadDemo } from './database/demo/load.js';
import { demoPassword, demoPeople } from './database/demo/people.js';
import { attachEmbedded, startEmbedded } from './database/embedded.js';
import { migrate, migrations, pendingMigrations } from './database/migrate.js';
import { createLogger } from './edge/log.js';
import { entities } from './entities/tables.js';
import { operator } from './operator/people.js';
import { type Arguments, UsageError } from './operator/usage.js';

const open = (url: string, config: Config, options: Pick<ConnectOptions, 'timeLimits' | 'isPooled'>): Promise<MikroORM> =>
  connect(url, { poolSize: config.DATABASE_POOL_SIZE, entities, migrations, ...options });

/** Does something with a database of its own connection: no time limits, closed afterwards. */
async function withDatabase<T>(url: string, config: Config, work: (orm: MikroORM, db: Database) => Promise<T>): Promise<T> {
  const orm = await open(url, config, { timeLimits: false });
  try {
    return await work(orm, new Database(orm.em));
  } finally {
    await orm.close();
  }
}

/** A database of our own is ready as it starts, wherever it listens this time. */
const prepare = (url: string, config: Config) =>
  withDatabase(url, config, async (orm, db) => {
    await migrate(orm);
    await loadDemo(db);
    await enableDashboard(db, operator, config);
  });

/** The database of the configuration, past any pooler, or the embedded one that is running. */
async function databaseUrl({ DATABASE_DIRECT_URL, DATABASE_URL, DATA_DIR }: Config): Promise<string> {
  const url = DATABASE_DIRECT_URL ?? DATABASE_URL ?? (await attachEmbedded(resolve(DATA_DIR)));
  if (!url) throw new UsageError(`No PostgreSQL runs in ${resolve(DATA_DIR)}: start Lanyard first (npm start), or set DATABASE_URL.`);
  return url;
}

/** For commands that work on the database of the configuration, whether or not a server runs on it. */
export const withConfiguredDatabase = async <T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> =>
  withDatabase(await databaseUrl(config), config, (_, db) => work(db));

/** Serves until SIGTERM or SIGINT; then requests under way end, then the pool, then the embedded PostgreSQL. */
export async function serve(config: Config): Promise<void> {
  const embedded = config.DATABASE_URL ? undefined : await startEmbedded(resolve(config.DATA_DIR));
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  try {
    if (embedded) await prepare(url, config);
    const orm = await open(url, config, { isPooled: config.DATABASE_DIRECT_URL !== undefined });
    // An open pool would keep a process alive that failed to start.
    const log = createLogger(config.LOG_LEVEL);
    const app = await assemble(config, orm, log).catch((error) => orm.close().then(() => Promise.reject(error)));
    try {
      await app.listen();
      const lost = embedded?.keep(() => log.error('the embedded PostgreSQL died and is started again; postgres.log.previous says why'));
      if (embedded) await greet(config, url);
      await Promise.race([stopped(), ...(lost ? [lost] : [])]);
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
  const { createApp } = await import('./app.js');
  return createApp(config, orm, log);
}

const stopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
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

export async function migrateSchema(config: Config): Promise<void> {
  const done = await withDatabase(await databaseUrl(config), config, (orm) => migrate(orm));
  process.stdout.write(done.length === 0 ? 'The schema is up to date.\n' : `Migrated: ${done.join(', ')}.\n`);
}

export async function demo(config: Config): Promise<void> {
  const outcome = await withDatabase(await databaseUrl(config), config, (_, db) => loadDemo(db));
  process.stdout.write(
    outcome === 'loaded' ? `Loaded the demo data; the password is "${demoPassword}".\n` : 'The demo data is there already.\n',
  );
}

/** For demo and development databases alone: in production people sign in. */
export async function token(config: Config, { user = '', app = '', scope }: Arguments): Promise<void> {
  if (config.NODE_ENV === 'production') throw new UsageError('The token command is for demo and development: NODE_ENV is production.');
  const accessToken = await withDatabase(await databaseUrl(config), config, async (_, db) => {
    await ensureKeys(db, config);
    return issueToken(db, config, user, app, scope);
  });
  process.stdout.write(`${accessToken}\n`);
}
