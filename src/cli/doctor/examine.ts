/** Runs all checks, read-only. */
import { resolve } from 'node:path';
import type { Config } from '../../config.js';
import { attachEmbedded } from '../../database/embedded.js';
import type { Client } from '../../database/wire/client.js';
import type { Environment } from '../usage.js';
import { checkConfiguration } from './configuration.js';
import { checkDatabase } from './database.js';
import { checkDemo } from './demo.js';
import { type Finding, warning } from './finding.js';
import { checkListener, checkPooler, checkStandby } from './replication.js';
import { checkKeys, checkMigrations, checkStamps } from './schema.js';
import { checkDisk, checkMail, checkRedis } from './services.js';
import { unreachable, withSession } from './session.js';

export async function examine(environment: Environment): Promise<readonly Finding[]> {
  const { config, findings } = checkConfiguration(environment);
  if (!config) return findings;
  return [
    ...findings,
    ...(await checkPostgres(config)),
    await checkRedis(config),
    await checkMail(config),
    await checkDisk(config),
  ];
}

async function checkPostgres(config: Config): Promise<readonly Finding[]> {
  const [variable, url] = config.DATABASE_DIRECT_URL
    ? ['DATABASE_DIRECT_URL', config.DATABASE_DIRECT_URL]
    : ['DATABASE_URL', config.DATABASE_URL ?? (await attachEmbedded(resolve(config.DATA_DIR)))];
  if (!url)
    return [
      warning(
        'database',
        `no PostgreSQL runs in ${resolve(config.DATA_DIR)}`,
        'Start Lanyard, which starts it, or set DATABASE_URL.',
      ),
    ];
  try {
    return await withSession(url, false, (client) => checkPrimary(client, url, config));
  } catch (error) {
    return [unreachable('database', variable, error)];
  }
}

async function checkPrimary(
  client: Client,
  url: string,
  config: Config,
): Promise<readonly Finding[]> {
  const database = await checkDatabase(client, config.DATABASE_POOL_SIZE, !config.DATABASE_URL);
  // Further checks do not apply to a foreign database.
  if (database[0]?.level !== 'ok') return database;
  /** A failed check does not prevent the others. */
  const attempt = async (
    check: string,
    variable: string,
    work: () => Promise<Finding | readonly Finding[]>,
  ): Promise<readonly Finding[]> => {
    try {
      return [await work()].flat();
    } catch (error) {
      return [unreachable(check, variable, error)];
    }
  };
  return [
    ...database,
    ...(await attempt('migrations', 'the table migrations', () => checkContents(client, config))),
    await checkStandby(client, config),
    ...(await attempt('pooler', 'DATABASE_URL', () => checkPooler(client, config))),
    ...(await attempt('listener', 'its connection', () => checkListener(url))),
  ];
}

async function checkContents(client: Client, config: Config): Promise<readonly Finding[]> {
  const { isMigrated, findings } = await checkMigrations(client);
  return isMigrated
    ? [
        ...findings,
        await checkStamps(client),
        ...(await checkKeys(client, config)),
        ...(await checkDemo(client, config)),
      ]
    : findings;
}
