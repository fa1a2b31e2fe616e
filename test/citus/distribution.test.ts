/** `lanyard migrate --distributed`: what it does with a database, and what it refuses. */
import { randomUUID } from 'node:crypto';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { distribute, undistributedTables } from '../../src/database/distribution.js';
import { migrate, migrations } from '../../src/database/migrate.js';
import { distributedTables, referenceTables } from '../../src/database/placements.js';
import { loadDemo } from '../../src/demo/load.js';
import { entities } from '../../src/entities/tables.js';
import { openApp } from '../support/app.js';
import { joinNodes, onNode } from '../support/citus.js';
import { managerEmail, nothing, skyline } from '../support/names.js';

const ports = (process.env.LANYARD_TEST_NODES ?? '').split(',').map(Number);
const [coordinator = 0, ...workers] = ports;
const options = { poolSize: 2, entities, migrations, timeLimits: false };

const urlOf = (port: number, name: string) => `postgresql://postgres@127.0.0.1:${port}/${name}`;

/** An empty database on each node. */
async function createDatabase(): Promise<{ name: string } & AsyncDisposable> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onNode(coordinator, 'postgres', `create database ${name}`);
  return {
    name,
    async [Symbol.asyncDispose]() {
      for (const port of ports)
        await onNode(port, 'postgres', `drop database if exists ${name} with (force)`);
    },
  };
}

const counts = async (db: Database) => {
  const all: Record<string, unknown> = {};
  for (const table of [...referenceTables, ...distributedTables])
    [all[table]] = await db.query(`select count(*)::int as count from ${table}`);
  return all;
};

test('keeps the rows of a database that had been in use, and is done after the first time', async () => {
  await using database = await createDatabase();
  const { name } = database;
  const orm = await connect(urlOf(coordinator, name), options);
  await migrate(orm);
  const db = new Database(orm.em);
  await loadDemo(db);
  const before = await counts(db);
  await expect(distribute(orm)).rejects.toThrow(/not part of a Citus cluster/);
  await joinNodes(ports, name);
  expect(await distribute(orm)).toStrictEqual([...referenceTables, ...distributedTables]);
  expect(await distribute(orm)).toStrictEqual([]);
  expect(await counts(db)).toStrictEqual(before);
  await orm.close();

  await using app = await openApp({}, { url: urlOf(coordinator, name), drop: async () => {} });
  expect(app.db.isDistributed).toBe(true);
  expect(await undistributedTables(app.db)).toStrictEqual([]);
  const { body } = await app.rest('GET', `${skyline}/certifications`, {
    token: await app.token(managerEmail),
  });
  expect(body.data.length).toBeGreaterThan(0);
});

test('a server refuses the address of a worker', async () => {
  await using app = await openApp();
  const url = new URL(app.url);
  url.port = String(workers[0]);
  await expect(connect(url.href, options)).rejects.toThrow(/use the address of the coordinator/);
});

test('the audit is append-only on each shard', async () => {
  await using app = await openApp();
  const shards = await app.db.query(
    `select result from run_command_on_shards('audit_events', $$select count(*) from pg_trigger
       where tgrelid = %L::regclass and tgname like 'audit_events_append_only%%' and tgenabled = 'O'$$)`,
  );
  expect(shards).toStrictEqual(shards.map(() => ({ result: '1' })));
  expect(shards.length).toBeGreaterThan(1);
  for (const statement of [
    `update audit_events set changes = '{}'`,
    `delete from audit_events where organization_id = '${nothing}'`,
    'truncate audit_events',
  ])
    await expect(app.db.query(statement)).rejects.toThrow(/audit_events is append-only/);
});
