/** The behavior of MikroORM that src/database/mikro-orm-internals.ts relies on is there. */
import { initOrm, readMetadata, verifiedVersions } from '../../src/database/mikro-orm-internals.js';
import { createPool } from '../../src/database/pool.js';
import { Organization } from '../../src/entities/organization.js';
import { entities } from '../../src/entities/tables.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { expectInstalled } from '../support/verified.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database?.drop());

test('the installed versions are those that were verified', () =>
  expectInstalled(verifiedVersions));

test('tables and columns are known without a connection', () => {
  const { tableName, props } = readMetadata(entities).get(Organization);
  expect(tableName).toBe('organizations');
  expect(props.find(({ name }) => name === 'updatedAt')?.fieldNames).toEqual(['updated_at']);
});

test('the ORM uses our pool, and its close ends it, used or not', async () => {
  for (const isUsed of [true, false]) {
    const pool = createPool({ connectionString: database.url, max: 1 });
    const orm = await initOrm(database.url, pool, { entities });
    if (isUsed) expect(await orm.em.execute('select 1 as one')).toEqual([{ one: 1 }]);
    expect(pool.totalCount).toBe(isUsed ? 1 : 0);
    await orm.close();
    expect(pool.ended).toBe(true);
  }
});
