/**
 * Migrations beside a system at work: none keeps others waiting behind it for long, and two at once
 * take turns.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Migration } from '@mikro-orm/migrations';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import {
  MigrationBlocked,
  migrate,
  migrations,
  pendingMigrations,
} from '../../src/database/migrate.js';
import { entities } from '../../src/entities/tables.js';
import { createDatabase } from '../support/database.js';
import { satisfying } from '../support/expect.js';
import { runLanyard } from '../support/server.js';

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

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
  const options = {
    poolSize: 5,
    entities,
    migrations: { ...migrations, migrationsList: list } as typeof migrations,
    timeLimits: false,
  };
  const orm = await connect(database.url, options);
  cleanup.defer(async () => {
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
  it('lets readers pass between its attempts, and succeeds once the other ends', async () => {
    const { orm, db } = await open('next', Widen);
    const { letGo } = await hold(db, 'users');
    const migrated = migrate(orm, { lockTimeoutMs: 200, attempts: 50, pause: 50 });
    const waits: number[] = [];
    for (let reads = 0; reads < 20; reads++) {
      const started = performance.now();
      await db.query('select from users limit 1');
      waits.push(performance.now() - started);
      await delay(30);
    }
    expect(await pendingMigrations(orm)).toEqual(['next']);
    await letGo();
    expect(await migrated).toEqual(['next']);
    expect(await pendingMigrations(orm)).toEqual([]);
    const longest = Math.max(...waits);
    console.info(`the longest of 20 reads behind it waited ${longest.toFixed(0)} ms`);
    expect(longest).toBeGreaterThan(20); // readers did meet the migration
    expect(longest).toBeLessThan(2000);
  });

  it('gives up after its attempts, changes nothing, and names who was in the way and what to do', async () => {
    const { orm, db } = await open('next', Widen);
    const { letGo } = await hold(db, 'users');
    await delay(1100);
    await expect(migrate(orm, { lockTimeoutMs: 50, attempts: 2, pause: 10 })).rejects.toEqual(
      satisfying(
        (error) =>
          error instanceof MigrationBlocked &&
          /^The migration next could not .* in 2 attempts/.test(error.message) &&
          [...error.message.matchAll(/^ {2}process \d+, .*, idle in transaction, since 20/gm)]
            .length === 1 &&
          /pg_terminate_backend[\s\S]*npm run migrate/.test(error.message),
      ),
    );
    await letGo();
    expect(await pendingMigrations(orm)).toEqual(['next']);
    expect(await migrate(orm)).toEqual(['next']);
  });
});

it('a migration outside of a transaction may build an index beside writers', async () => {
  const { orm, db } = await open('index', Index);
  expect(await migrate(orm)).toEqual(['index']);
  expect(
    await db.query(`select indisvalid from pg_index where indexrelid = 'users_by_name'::regclass`),
  ).toStrictEqual([{ indisvalid: true }]);
});

it('of three that migrate an empty database at once, one does, and the others find nothing to do', async () => {
  const { url, drop } = await createDatabase('template1');
  const orms = await Promise.all(
    [1, 2, 3].map(() => connect(url, { poolSize: 3, entities, migrations, timeLimits: false })),
  );
  cleanup.defer(async () => {
    await Promise.all(orms.map((orm) => orm.close()));
    await drop();
  });
  const done = await Promise.all(orms.map((orm) => migrate(orm)));
  expect(done.map(({ length }) => length).sort()).toStrictEqual([
    0,
    0,
    migrations.migrationsList?.length,
  ]);
});

it('lanyard migrate says what it did, and that nothing is left', async () => {
  const { url, drop } = await createDatabase('template1');
  cleanup.defer(drop);
  for (const said of [/^Migrated: 0001_system_of_record, /, /^The schema is up to date\.\n$/]) {
    const { ended, output } = runLanyard(['migrate'], { DATABASE_URL: url });
    expect([output.stderr, await ended]).toStrictEqual([output.stderr, 0]);
    expect(output.stdout).toMatch(said);
  }
});
