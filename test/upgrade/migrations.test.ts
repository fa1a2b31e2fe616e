/** Migrations are expand-then-contract: the release before works on the schema after them. */
import { migrations } from '../../src/database/migrate.js';
import { digestMigrations, readMigrations, readReleased } from '../../tools/release/migrations.js';
import { lintMigration } from './migration-lint.js';

const released = readReleased();

describe('migrations', () => {
  it('that were released are never changed, and never removed', () => {
    const digests = digestMigrations();
    expect(Object.keys(released).length).toBeGreaterThan(0);
    for (const [name, digest] of Object.entries(released))
      expect([`${name} was released: add a new one`, digests[name]]).toStrictEqual([
        expect.any(String),
        digest,
      ]);
  });

  it('come after those that were released, each under a number of its own', () => {
    const names = (migrations.migrationsList ?? []).map((each) => (each as { name: string }).name);
    expect(names).toStrictEqual([...new Set(names)].sort());
    expect(names.slice(0, Object.keys(released).length)).toStrictEqual(Object.keys(released));
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
  });

  for (const { name, sql, isTransactional } of readMigrations()) {
    if (name in released) continue;
    it(`${name} lets the release before it work on`, () =>
      expect(lintMigration(sql, isTransactional)).toEqual([]));
  }
});

const refused: Record<string, string> = {
  'drop table users': 'takes away a table',
  'alter table users drop column email': 'takes away a column',
  'alter table users drop email': 'takes away a column, in short',
  'alter table users rename column email to mail': 'renames a column',
  'alter table users rename to people': 'renames a table',
  'alter table users alter column email type citext': 'changes a type',
  'alter table users alter email set data type citext': 'changes a type, at length',
  'alter table users alter column email drop default': 'drops a default',
  'alter table users alter column email set not null': 'sets not null',
  'alter table users add column age integer not null': 'adds a column that old inserts leave out',
  'alter table users add column age integer, add column sex text not null':
    'adds one as the second',
  'alter table users add column boss uuid references users':
    'adds a reference that is checked at once',
  'alter table users add constraint users_age check (age > 0)':
    'adds a check that is not “not valid”',
  'alter table users add foreign key (boss) references users':
    'adds a foreign key that is not “not valid”',
  'alter table users add constraint users_mail unique (email)':
    'adds a unique key without an index that is there',
  'create index users_by_age on users (age)': 'creates an index that keeps writers out',
  'create unique index users_by_age on users (age)': 'creates a unique one',
  'create index concurrently users_by_age on users (age)':
    'creates one concurrently in a transaction',
  'create trigger t before insert on users for each row execute function f()': 'adds a trigger',
  "update users set email = ''": 'changes every row',
  'insert into people (id) select id from users': 'copies every row',
  'lock table users in exclusive mode': 'locks a table',
  'alter table users add constraint c check (age > 0) not valid; alter table users validate constraint c':
    'validates under the lock of the step before',
};

const accepted: Record<string, string> = {
  'create table crews (id uuid primary key, user_id uuid not null references users); create index crews_of_user on crews (user_id)':
    'a new table with its index',
  'alter table users add column age integer': 'a column that may be null',
  'alter table users add column age integer not null default 0': 'a column with a default',
  'alter table users add constraint c check (age > 0) not valid':
    'a check that is not validated yet',
  'alter table users validate constraint c': 'its validation later',
  'alter table users alter column email drop not null': 'a column that may be null from now on',
  'alter table users drop constraint c': 'a check less',
  'alter table users add constraint users_mail unique using index users_by_mail':
    'a unique key on an index that is there',
  'create function f() returns trigger language plpgsql as $$ begin delete from users; end $$':
    'a function, whatever is in it',
  "comment on table users is 'drop table users; update'": 'words in a text',
  '-- because nobody reads it: 0.3 was the last that did\n drop table old_users':
    'what somebody looked at, with the reason',
};

describe('the lint of migrations', () => {
  for (const [sql, what] of Object.entries(refused))
    it(`refuses what ${what}`, () =>
      expect([sql, lintMigration([sql], true).length]).toStrictEqual([sql, 1]));
  for (const [sql, what] of Object.entries(accepted))
    it(`accepts ${what}`, () => expect(lintMigration([sql], true)).toEqual([]));

  it('wants an index that is built concurrently to begin anew after a failed attempt', () => {
    const create = 'create index concurrently users_by_age on users (age)';
    expect(lintMigration([create], false)).toHaveLength(1);
    expect(
      lintMigration(['drop index concurrently if exists users_by_age', create], false),
    ).toEqual([]);
  });

  it('reads migrations as they run', () => {
    const first = readMigrations()[0];
    // The first makes all its tables itself.
    expect(first && lintMigration(first.sql, first.isTransactional).length === 0).toBeTruthy();
    expect(
      readMigrations().some(
        ({ sql, isTransactional }) => lintMigration(sql, isTransactional).length > 0,
      ),
    ).toBe(true); // later ones were made before there was a release
  });
});
