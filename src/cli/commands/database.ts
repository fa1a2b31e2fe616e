/** The database of a command. */
import { resolve } from 'node:path';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Config } from '../../config.js';
import { type ConnectOptions, connect } from '../../database/connect.js';
import { Database } from '../../database/connection.js';
import { attachEmbedded } from '../../database/embedded.js';
import { migrations } from '../../database/migrate.js';
import { entities } from '../../entities/tables.js';
import { UsageError } from '../usage.js';

export const open = (
  url: string,
  config: Config,
  options: Pick<ConnectOptions, 'timeLimits' | 'isPooled'>,
): Promise<MikroORM> =>
  connect(url, { poolSize: config.DATABASE_POOL_SIZE, entities, migrations, ...options });

/** Runs `work` with separate database connections: no time limits, closed afterwards. */
export async function withDatabase<T>(
  url: string,
  config: Config,
  work: (orm: MikroORM, db: Database) => Promise<T>,
): Promise<T> {
  // A migration needs three connections.
  const poolSize = Math.max(3, config.DATABASE_POOL_SIZE);
  const orm = await connect(url, { poolSize, entities, migrations, timeLimits: false });
  try {
    return await work(orm, new Database(orm.em));
  } finally {
    await orm.close();
  }
}

/** The URL of the configured database, bypassing a pooler, or of the running embedded one. */
export async function databaseUrl({
  DATABASE_DIRECT_URL,
  DATABASE_URL,
  DATA_DIR,
}: Config): Promise<string> {
  const url = DATABASE_DIRECT_URL ?? DATABASE_URL ?? (await attachEmbedded(resolve(DATA_DIR)));
  if (!url)
    throw new UsageError(
      `No PostgreSQL runs in ${resolve(DATA_DIR)}: start Lanyard first (npm start), or set DATABASE_URL.`,
    );
  return url;
}

/** For commands on the configured database, whether or not a server runs on it. */
export const withConfiguredDatabase = async <T>(
  config: Config,
  work: (db: Database) => Promise<T>,
): Promise<T> => withDatabase(await databaseUrl(config), config, (_, db) => work(db));
