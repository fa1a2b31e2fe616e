/** How many texts a session prepares. The limit is the process's, and these reach it: no other test in it would have anything prepared. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
before(async () => {
  database = await createDatabase();
});
after(() => database?.drop());

test('a statement with values is prepared once per session, and at most 500 are', async () => {
  const one = await connect(database.url, { poolSize: 1, entities: [] });
  try {
    const handle = new Database(one.em);
    const prepared = (like: string) =>
      handle.query<{ statement: string }>(`select statement from pg_prepared_statements where statement like '${like}'`);
    for (const value of [1, 2, 3]) assert.deepEqual(await handle.query('select $1::int as named', [value]), [{ named: value }]);
    assert.equal((await prepared('%as named')).length, 1);
    for (let index = 0; index < 600; index++)
      assert.deepEqual(await handle.query(`select $1::int as "many${index}"`, [index]), [{ [`many${index}`]: index }]);
    const many = (await prepared('%')).length;
    assert.ok(many > 400 && many <= 500, `${many} prepared`);
  } finally {
    await one.close();
  }
});
