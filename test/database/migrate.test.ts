/** Migrations beside a system at work: none keeps others waiting behind it for long, and two at once take turns. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Migration } from '@mikro-orm/migrations';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { MigrationBlocked, migrate, migrations, pendingMigrations } from '../../src/database/migrate.js';
import { entities } from '../../src/entities/tables.js';
import { createDatabase } from '../support/database.js';
import { runLanyard } from '../support/server.js';

class Widen extends Migration {
  override up(): void {
    this.addSql('alter table users add column nickname text');
  }
}

class Index extends Migration {
  override isTransactional = (): boolean => false;

  override up(): void {
    this.addSql('drop index concurrently if exists users_by_name');
    this.addSql('create index concurrently users_by_name on users (display_name)');
  }
}

/** A migrated database whose next migration is the given one. */
async function open(name: string, next: typeof Migration) {
  const database = await createDatabase();
  const list = [...(migrations.migrationsList ?? []), { name, class: next }];
  const options = { poolSize: 5, entities, migrations: { ...migrations, migrationsList: list } as typeof migrations, timeLimits: false };
  const orm = await connect(database.url, options);
  after(async () => {
    await orm.close();
    await database.drop();
  });
  return { orm, db: new Database(orm.em) };
}

/** Holds the table until told to let go. */
async function hold(db: Database, table: string): Promise<{ letGo: () => Promise<void> }> {
  const held = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const done = db.transaction(async (tx) => {
    await tx.query(`select from ${table} limit 1`);
    held.resolve();
    await end.promise;
  });
  await held.promise;
  return {
    letGo: () => {
      end.resolve();
      return done;
    },
  };
}

describe('a migration whose table a long transaction holds', () => {
  it('lets readers pass between its attempts, and succeeds once the other ends', async (t) => {
    const { orm, db } = await open('next', Widen);
    const { letGo } = await hold(db, 'users');
    const migrated = migrate(orm, { lockTimeout: 200, attempts: 50, pause: 50 });
    const waits: number[] = [];
    for (let reads = 0; reads < 20; reads++) {
      const started = performance.now();
      await db.query('select from users limit 1');
      waits.push(performance.now() - started);
      await delay(30);
    }
    assert.deepEqual(await pendingMigrations(orm), ['next']);
    await letGo();
    assert.deepEqual(await migrated, ['next']);
    assert.deepEqual(await pendingMigrations(orm), []);
    const longest = Math.max(...waits);
    t.diagnostic(`the longest of 20 reads behind it waited ${longest.toFixed(0)} ms`);
    assert.ok(longest > 20, 'readers did meet the migration');
    assert.ok(longest < 2000);
  });

  it('gives up after its attempts, changes nothing, and names who was in the way and what to do', async () => {
    const { orm, db } = await open('next', Widen);
    const { letGo } = await hold(db, 'users');
    await delay(1100);
    await assert.rejects(
      migrate(orm, { lockTimeout: 50, attempts: 2, pause: 10 }),
      (error) =>
        error instanceof MigrationBlocked &&
        /^The migration next could not .* in 2 attempts/.test(error.message) &&
        [...error.message.matchAll(/^ {2}process \d+, .*, idle in transaction, since 20/gm)].length === 1 &&
        /pg_terminate_backend[\s\S]*npm run migrate/.test(error.message),
    );
    await letGo();
    assert.deepEqual(await pendingMigrations(orm), ['next']);
    assert.deepEqual(await migrate(orm), ['next']);
  });
});

it('a migration outside of a transaction may build an index beside writers', async () => {
  const { orm, db } = await open('index', Index);
  assert.deepEqual(await migrate(orm), ['index']);
  assert.deepEqual(await db.query(`select indisvalid from pg_index where indexrelid = 'users_by_name'::regclass`), [{ indisvalid: true }]);
});

it('of three that migrate an empty database at once, one does, and the others find nothing to do', async () => {
  const { url, drop } = await createDatabase('template1');
  const orms = await Promise.all([1, 2, 3].map(() => connect(url, { poolSize: 2, entities, migrations, timeLimits: false })));
  after(async () => {
    await Promise.all(orms.map((orm) => orm.close()));
    await drop();
  });
  const done = await Promise.all(orms.map((orm) => migrate(orm)));
  assert.deepEqual(done.map(({ length }) => length).sort(), [0, 0, migrations.migrationsList?.length]);
});

it('lanyard migrate says what it did, and that nothing is left', async () => {
  const { url, drop } = await createDatabase('template1');
  after(drop);
  for (const said of [/^Migrated: 0001_system_of_record, /, /^The schema is up to date\.\n$/]) {
    const { ended, output } = runLanyard(['migrate'], { DATABASE_URL: url });
    assert.equal(await ended, 0, output.stderr);
    assert.match(output.stdout, said);
  }
});
