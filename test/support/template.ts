import pg from 'pg';
import { ensureKeys } from '../../src/auth/key-store.js';
import { readConfig } from '../../src/config.js';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { migrate, migrations } from '../../src/database/migrate.js';
import { loadDemo } from '../../src/demo/load.js';
import { entities } from '../../src/entities/tables.js';

/**
 * The database that each test file gets a copy of: migrated, with the demo data and signing keys.
 */
export async function prepareTemplate(adminUrl: string): Promise<void> {
  const client = new pg.Client(adminUrl);
  await client.connect();
  await client.query('drop database if exists lanyard_template');
  await client.query('create database lanyard_template');
  await client.end();
  const url = new URL(adminUrl);
  url.pathname = '/lanyard_template';
  const orm = await connect(url.href, { poolSize: 3, entities, migrations, timeLimits: false });
  await migrate(orm);
  const db = new Database(orm.em);
  await loadDemo(db);
  await ensureKeys(db, readConfig({}));
  await orm.close();
}
