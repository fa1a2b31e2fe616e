/**
 * Servers of the former release update the row of a version clock, and read it. For a day after the
 * upgrade they run beside servers that only lock it.
 */
import { randomUUID } from 'node:crypto';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { migrate, migrations } from '../../src/database/migrate.js';
import { recordChanges } from '../../src/database/record-changes.js';
import { entities } from '../../src/entities/tables.js';
import { newCertificationType, nobody } from '../support/changes.js';
import { createDatabase } from '../support/database.js';

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

const list = migrations.migrationsList ?? [];

async function migrateTo(url: string, names: typeof list): Promise<Database> {
  const orm = await connect(url, {
    poolSize: 4,
    entities,
    migrations: { ...migrations, migrationsList: names } as typeof migrations,
    timeLimits: false,
  });
  cleanup.defer(() => orm.close());
  await migrate(orm);
  return new Database(orm.em);
}

/** The statement by which the former release takes a stamp. */
const formerTick = `insert into organization_clocks as clock (organization_id, ticked_at)
  select $1::uuid, greatest(clock_timestamp(), latest_tick() + interval '1 microsecond')
  on conflict (organization_id) do update set ticked_at =
    greatest(clock_timestamp(), latest_tick() + interval '1 microsecond', clock.ticked_at + interval '1 microsecond')
  returning ticked_at as at`;

const triggers = (db: Database) =>
  db.query<{ name: string }>(
    `select tgname as name from pg_trigger where tgrelid = 'audit_events'::regclass and tgname like '%ticked_at'`,
  );

test('stamps of both releases rise in commit order, and the former one finds the newest in the row', async () => {
  const database = await createDatabase('template1');
  cleanup.defer(() => database.drop());
  const organization = randomUUID();
  const isBefore = (each: unknown) => (each as { name: string }).name < '0016';
  const former = await migrateTo(database.url, list.filter(isBefore));
  await former.query(
    `insert into organizations (id, name, slug, created_at, updated_at) values ($1, 'One', 'one', now(), now())`,
    [organization],
  );
  await former.query('insert into organization_clocks values ($1, now())', [organization]);
  const db = await migrateTo(database.url, list);
  expect(await triggers(db)).toHaveLength(1);

  // The clock of PostgreSQL steps back, so that only the stamps before decide.
  await db.query(`update organization_clocks set ticked_at = now() + interval '1 hour'`);
  const stamps: string[] = [];
  const read = async () => {
    const [row] = await db.query<{ at: string }>('select ticked_at as at from organization_clocks');
    return row?.at;
  };
  for (let turn = 0; turn < 3; turn++) {
    const changes = [newCertificationType(organization), newCertificationType(organization)];
    for (const batch of [changes, [newCertificationType(organization)]]) {
      const rows = await db.transaction((tx) =>
        recordChanges<{ at: string }>(tx, nobody, batch, {
          sql: 'select updated_at as at from written order by 1',
          isLast: false,
        }),
      );
      stamps.push(...rows.map(({ at }) => at));
      expect(await read()).toBe(stamps.at(-1));
    }
    const ticked = await former.transaction(async (tx) => {
      const [row] = await tx.query<{ at: string }>(formerTick, [organization]);
      await tx.query(
        `insert into audit_events (id, organization_id, action, subject_type, subject_id, changes, occurred_at)
         values (gen_random_uuid(), $1::uuid, 'update', 'Organization', $1::uuid::text, '{}', $2)`,
        [organization, row?.at],
      );
      return row?.at ?? '';
    });
    stamps.push(ticked);
    expect(await read()).toBe(ticked);
  }
  expect(stamps).toHaveLength(12);
  expect(new Set(stamps).size).toBe(12);
  expect(stamps).toStrictEqual(stamps.toSorted());
});

test('a new database has no servers of a former release', async () => {
  const database = await createDatabase();
  cleanup.defer(() => database.drop());
  expect(await triggers(await migrateTo(database.url, list))).toEqual([]);
});
