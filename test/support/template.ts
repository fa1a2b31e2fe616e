import pg from 'pg';
import { ensureKeys } from '../../src/auth/key-store.js';
import { readConfig } from '../../src/config.js';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { distribute } from '../../src/database/distribution.js';
import { migrate, migrations } from '../../src/database/migrate.js';
import { loadDemo } from '../../src/demo/load.js';
import { entities } from '../../src/entities/tables.js';
import { joinNodes, onNode } from './citus.js';

/**
 * The database that each test file gets a copy of: migrated, with the demo data and signing keys.
 * @param ports Of the nodes of a cluster, the coordinator first.
 */
export async function prepareTemplate(
  adminUrl: string,
  ports: readonly number[] | undefined = undefined,
): Promise<void> {
  const client = new pg.Client(adminUrl);
  await client.connect();
  await client.query('drop database if exists lanyard_template');
  await client.query('create database lanyard_template');
  await client.end();
  if (ports) await joinNodes(ports, 'lanyard_template');
  const url = new URL(adminUrl);
  url.pathname = '/lanyard_template';
  const options = { poolSize: 2, entities, migrations, timeLimits: false };
  let orm = await connect(url.href, options);
  await migrate(orm);
  if (ports) {
    await distribute(orm);
    await orm.close();
    orm = await connect(url.href, options);
  }
  const db = new Database(orm.em);
  await loadDemo(db);
  await ensureKeys(db, readConfig({}));
  await orm.close();
}

/** Lets the template of a cluster be copied, which the maintenance process of Citus prevents. */
export async function closeTemplate(ports: readonly number[]): Promise<void> {
  for (const port of ports) {
    await onNode(port, 'postgres', 'alter database lanyard_template allow_connections false');
    await onNode(
      port,
      'postgres',
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'lanyard_template'`,
    );
  }
}
