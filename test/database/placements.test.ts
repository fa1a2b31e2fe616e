/** Each table has a place on a cluster. */
import { placements } from '../../src/database/placements.js';
import { openApp } from '../support/app.js';

/** Tables of a cluster alone. */
const ofCluster = ['reference_clocks'];

test('the database has exactly the tables that have a place on a cluster', async () => {
  await using app = await openApp();
  const tables = await app.db.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and c.relname !~ '_[0-9]{6,}$'`,
  );
  const names = new Set([...tables.map(({ name }) => name), ...ofCluster]);
  expect([...names].sort()).toStrictEqual(Object.keys(placements).sort());
});
