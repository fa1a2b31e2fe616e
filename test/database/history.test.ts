/** The migration that begins the history: what it says of the records that were there before. */
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { migrate, migrations } from '../../src/database/migrate.js';
import { entities } from '../../src/entities/tables.js';
import { createDatabase } from '../support/database.js';

test('each record from before the history has one version: as it stands, known since its last change, and so since it was made', async () => {
  const database = await createDatabase();
  const orm = await connect(database.url, { poolSize: 3, entities, migrations, timeLimits: false });
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(async () => {
    await orm.close();
    await database.drop();
  });
  const db = new Database(orm.em);
  const existing = `select organization_id, id, updated_at, (created_at at time zone 'utc')::date as made, lifecycle_status, verification_status from certifications`;
  const rows = await db.query(`${existing} order by id`);
  expect(rows.length).toBeGreaterThan(100);

  await db.query('drop table certification_history');
  await db.query('drop index certifications_of_issuer');
  await db.query(`delete from migrations where name = '0005_history'`);
  await migrate(orm);

  const versions = await db.query(
    `select organization_id, certification_id as id, recorded_at as updated_at, effective_on as made, lifecycle_status, verification_status
     from certification_history order by certification_id`,
  );
  expect(versions).toStrictEqual(rows);
});
