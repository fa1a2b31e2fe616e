import { setTimeout as delay } from 'node:timers/promises';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { MikroORM } from '@mikro-orm/postgresql';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { isUnavailable, pgError } from '../../src/database/failures.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { ensure, fail, satisfying } from '../support/expect.js';

@Entity({ tableName: 'notes' })
class Note {
  @PrimaryKey({ type: 'integer' }) id!: number;
  @Property({ type: 'text' }) slug!: string;
  @Property({ type: 'array', columnType: 'text[]' }) tags!: string[];
  @Property({ type: 'json', columnType: 'jsonb' }) body!: object;
  @Property({ type: 'string', columnType: 'timestamptz' }) updatedAt!: string;
}

const poolSize = 4;
let database: TestDatabase;
let orm: MikroORM;
let db: Database;

beforeAll(async () => {
  database = await createDatabase();
  orm = await connect(database.url, { poolSize, entities: [Note] });
  db = new Database(orm.em);
  await db.query(
    `create table notes (id int primary key, slug text not null constraint notes_slug_key unique, tags text[], body jsonb, updated_at timestamptz)`,
  );
});

afterAll(async () => {
  await orm?.close();
  await database?.drop();
});

const note = (id: number) => ({
  id,
  slug: `note-${id}`,
  tags: ['a b', 'c,"d'],
  body: { deep: [1, null] },
  updatedAt: '2026-11-21T03:47:54.123456Z',
});
const insert = (tx: Database, ...ids: number[]) =>
  tx.query('insert into notes select * from jsonb_populate_recordset(null::notes, $1::jsonb)', [
    JSON.stringify(
      ids.map(note).map(({ updatedAt, ...row }) => ({ ...row, updated_at: updatedAt })),
    ),
  ]);
const unexpected = () => fail('it should have failed');
const idsOf = async (handle: Database, ids: number[]) =>
  (
    await handle.query<{ id: number }>('select id from notes where id = any($1) order by id', [ids])
  ).map(({ id }) => id);

test('a timestamp is RFC 3339 in UTC with six digits', async () => {
  const [row] = await db.query(
    `select '2026-11-21 04:47:54.123456+01'::timestamptz micro, '2026-11-21 03:47:54.12Z'::timestamptz hundredths, '2026-11-21 03:47:54Z'::timestamptz whole,
            array['2026-11-21 03:47:54.5Z', null]::timestamptz[] several`,
  );
  expect(row).toStrictEqual({
    micro: '2026-11-21T03:47:54.123456Z',
    hundredths: '2026-11-21T03:47:54.120000Z',
    whole: '2026-11-21T03:47:54.000000Z',
    several: ['2026-11-21T03:47:54.500000Z', null],
  });
});

test('a timestamp of another zone fails rather than lies', async () => {
  const abroad = db.transaction(async (tx) => {
    await tx.query(`set local timezone = 'Asia/Kolkata'`);
    await tx.query('select now()');
  });
  await expect(abroad).rejects.toThrow(/is not in UTC/);
});

test('other values come as JavaScript has them, and a date as its text', async () => {
  const id = '019aa4c5-7c3e-7000-8000-000000000001';
  const sql = `select '2026-02-28'::date as day, array['2026-02-28'::date] as days, $1::uuid[] as ids, 7::int8 as big, '{"a":[1]}'::jsonb as json, true as yes`;
  expect(await db.query(sql, [[id]])).toStrictEqual([
    { day: '2026-02-28', days: ['2026-02-28'], ids: [id], big: 7, json: { a: [1] }, yes: true },
  ]);
});

test('a session starts with UTC and its limits, without any SET', async () => {
  const names = [
    'TimeZone',
    'idle_in_transaction_session_timeout',
    'lock_timeout',
    'plan_cache_mode',
    'statement_timeout',
    'transaction_timeout',
  ];
  const settings = async (handle: Database) => {
    const sql = `select setting, source from pg_settings where name = any($1) order by name collate "C"`;
    return (await handle.query<{ setting: string; source: string }>(sql, [names])).map(
      ({ setting, source }) => `${setting} ${source}`,
    );
  };
  expect(await settings(db)).toEqual([
    'UTC client',
    '10000 client',
    '5000 client',
    'force_generic_plan client',
    '10000 client',
    '10000 client',
  ]);
  const patient = await connect(database.url, { poolSize: 1, entities: [], timeLimits: false });
  try {
    expect(await settings(new Database(patient.em))).toEqual([
      'UTC client',
      '0 client',
      '0 client',
      'force_generic_plan client',
      '0 client',
      '0 client',
    ]);
  } finally {
    await patient.close();
  }
});

test('a statement is planned once in a session, a search for its values where that pays', async () => {
  const one = await connect(database.url, { poolSize: 1, entities: [] });
  try {
    const handle = new Database(one.em);
    const plans = async (like: string) => {
      const [row] = await handle.query<object>(
        `select generic_plans as "forAny", custom_plans as "forValues" from pg_prepared_statements where statement like '${like}'`,
      );
      return row;
    };
    for (const id of [1, 2, 3])
      await handle.query('select slug as known from notes where id = $1', [id]);
    expect(await plans('%as known%')).toStrictEqual({ forAny: 3, forValues: 0 });
    for (const id of [1, 2, 3])
      await handle.query('select slug as sought from notes where id = $1', [id], {
        mayReplan: true,
      });
    expect(await plans('%as sought%')).toStrictEqual({ forAny: 0, forValues: 3 });
    await handle.query('select slug as known from notes where id = $1', [4]);
    expect(await plans('%as known%')).toStrictEqual({ forAny: 4, forValues: 0 });
  } finally {
    await one.close();
  }
});

test('a search gives its rows alone, fails alone, and sees what its transaction wrote', async () => {
  const sql = 'select id, 12 / $1::int as value from notes where id = 25';
  const search = (text: string, values: readonly unknown[]) =>
    db.query<object>(text, values, { mayReplan: true });
  await db.transaction(async (tx) => {
    await insert(tx, 25);
    for (const divisor of [2, 3])
      expect(await tx.query(sql, [divisor], { mayReplan: true })).toStrictEqual([
        { id: 25, value: 12 / divisor },
      ]);
  });
  for (const divisor of [4, 6])
    expect(await search(sql, [divisor])).toStrictEqual([{ id: 25, value: 12 / divisor }]);
  expect(await search(sql, [0]).then(unexpected, (error) => pgError(error)?.code)).toBe('22012');
  expect(await search(sql, [12])).toStrictEqual([{ id: 25, value: 1 }]);
  expect(await search('select id from notes where id = 25', [])).toStrictEqual([{ id: 25 }]);
});

test('a transaction sees its own writes; others see them once it has committed', async () => {
  await db.transaction(async (tx) => {
    expect(tx.inTransaction).toBe(true);
    await insert(tx, 1);
    await insert(tx, 2, 3);
    await tx.query('update notes set slug = $2, updated_at = $3 where id = $1', [
      2,
      'changed',
      '2026-11-21T03:47:54.000001Z',
    ]);
    await tx.query('delete from notes where id = $1', [3]);
    await tx.transaction((joined) => insert(joined, 4));
    expect(await idsOf(tx, [1, 2, 3, 4])).toEqual([1, 2, 4]);
    expect(await idsOf(db, [1, 2, 3, 4])).toEqual([]);
  });
  expect(db.inTransaction).toBe(false);
  expect(
    await db.query('select tags, body, updated_at from notes where id = $1', [1]),
  ).toStrictEqual([{ tags: note(1).tags, body: note(1).body, updated_at: note(1).updatedAt }]);
  expect(await db.query('select slug, updated_at from notes where id = $1', [2])).toStrictEqual([
    { slug: 'changed', updated_at: '2026-11-21T03:47:54.000001Z' },
  ]);
});

test('a transaction rolls everything back when the work fails', async () => {
  const failure = new Error('no');
  const failing = db.transaction(async (tx) => {
    await insert(tx, 11);
    throw failure;
  });
  await expect(failing).rejects.toEqual(failure);
  expect(await idsOf(db, [11])).toEqual([]);
});

test('an error of PostgreSQL is had by pgError', async () => {
  const through = (work: (tx: Database) => Promise<unknown>) =>
    db.transaction(work).then(unexpected, pgError);
  await db.query(`insert into notes (id, slug) values (20, 'note-21')`);
  for (const error of [
    await through((tx) => insert(tx, 21)),
    await through((tx) =>
      tx.query('insert into notes (id, slug) values ($1, $2)', [21, 'note-21']),
    ),
  ]) {
    expect([error?.code, error?.constraint, error?.table]).toEqual([
      '23505',
      'notes_slug_key',
      'notes',
    ]);
    expect(isUnavailable(error)).toBe(false);
  }
  expect(pgError(new Error('other'))).toBeUndefined();
});

test('a transaction that PostgreSQL broke is not taken for committed', async () => {
  const swallowing = db.transaction(async (tx) => {
    await tx.query('insert into notes (id, slug) values ($1, $2)', [30, 'lost']);
    await tx.query('select 1 / $1::int', [0]).catch(() => {});
  });
  await expect(swallowing).rejects.toThrow(/rolled back/);
});

test('counted counts what is sent through it, its transactions, and nothing else', async () => {
  const mine = db.counted();
  await db.query('select 1');
  await mine.query('select 1');
  await mine.transaction(async (tx) => {
    await tx.query('select $1::int', [1]);
    await insert(tx, 40);
    expect(tx.statements).toBe(3);
  });
  expect(mine.statements).toBe(3);
});

test('a deadlock is repeated until it passes', async () => {
  await db.query(`insert into notes (id, slug) values (50, 'fifty'), (51, 'fifty-one')`);
  let runs = 0;
  const lockBoth = (first: number, second: number) =>
    db.transaction(async (tx) => {
      runs++;
      await tx.query('update notes set tags = null where id = $1', [first]);
      await delay(100);
      await tx.query('update notes set tags = null where id = $1', [second]);
    });
  await Promise.all([lockBoth(50, 51), lockBoth(51, 50)]);
  // More where the one that was rolled back is the first to get its row again.
  ensure(runs >= 3, `${runs} runs`);
}, 20_000);

test('work that always deadlocks fails after three attempts, and other failures at once', async () => {
  const attempts = async (code: string) => {
    let runs = 0;
    const failing = db.transaction(async (tx) => {
      runs++;
      await tx.query(`do $$ begin raise exception using errcode = '${code}'; end $$`);
    });
    const error = await failing.then(unexpected, (thrown: unknown) => thrown);
    expect(pgError(error)?.code).toBe(code);
    return [runs, isUnavailable(error)];
  };
  expect(await attempts('40001')).toEqual([3, true]);
  expect(await attempts('40P01')).toEqual([3, true]);
  expect(await attempts('23514')).toEqual([1, false]);
});

test('the pool survives three times its size of backends that die in a transaction', async () => {
  const killer = await connect(database.url, { poolSize: 1, entities: [] });
  try {
    const deaths = Array.from({ length: 3 * poolSize }, async (_, index) => {
      const dying = db.transaction(async (tx) => {
        const [victim] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
        const isAtWork = index % 2 === 1;
        const work = isAtWork ? tx.query('select pg_sleep($1)', [5]) : delay(100);
        await Promise.all([
          work,
          new Database(killer.em).query('select pg_terminate_backend($1)', [victim?.pid]),
        ]);
        await tx.query('select 1');
      });
      await expect(dying).rejects.toEqual(satisfying(isUnavailable));
    });
    await Promise.all(deaths);
    await Promise.all(
      Array.from({ length: 2 * poolSize }, (_, index) =>
        db.transaction((tx) => insert(tx, 100 + index)),
      ),
    );
  } finally {
    await killer.close();
  }
}, 20_000);

test('no PostgreSQL there, or one that forbids the login', async () => {
  await expect(
    connect('postgresql://nobody@127.0.0.1:1/none', { poolSize: 1, entities: [] }),
  ).rejects.toEqual(satisfying(isUnavailable));
  const url = new URL(database.url);
  url.password = 'wrong';
  await expect(connect(url.href, { poolSize: 1, entities: [] })).rejects.toEqual(
    satisfying((error) => pgError(error)?.code === '28P01' && !isUnavailable(error)),
  );
});
