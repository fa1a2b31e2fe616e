import type { MikroORM } from '@mikro-orm/postgresql';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { isUnavailable, pgError } from '../../src/database/failures.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let orm: MikroORM;
let db: Database;

beforeAll(async () => {
  database = await createDatabase();
  orm = await connect(database.url, { poolSize: 4, entities: [] });
  db = new Database(orm.em);
});

afterAll(async () => {
  await orm?.close();
  await database?.drop();
});

interface Found {
  readonly pid: number;
  readonly value: number;
  /** When its transaction began, which statements of one round trip share. */
  readonly began: string;
}

const fraction = 'select pg_backend_pid() as pid, 12 / $1::int as value, now() as began';
const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
const isBatched = true;
const find = (...divisors: number[]) =>
  Promise.all(divisors.map((divisor) => db.query<Found>(fraction, [divisor], { isBatched })));
const settled = (...divisors: number[]) =>
  Promise.allSettled(
    divisors.map((divisor) => db.query<Found>(fraction, [divisor], { isBatched })),
  );
/** Until every connection has prepared the statement. */
const prepare = (sql: string, value: unknown) =>
  Promise.all(Array.from({ length: 8 }, () => db.query(sql, [value])));

test('what is found in one turn shares a connection and a round trip; each has its own rows', async () => {
  for (const round of ['not prepared', 'prepared', 'prepared again']) {
    const found = (await find(...numbers)).flat();
    expect([round, found.map(({ value }) => value)]).toStrictEqual([
      round,
      numbers.map((number) => Math.trunc(12 / number)),
    ]);
    expect([round, new Set(found.map(({ pid }) => pid)).size]).toStrictEqual([round, 1]);
    expect([round, new Set(found.map(({ began }) => began)).size]).toStrictEqual([round, 1]);
  }
});

test('different statements go together too, also those that find nothing or several rows', async () => {
  const [one, none, several] = [
    'select $1::int as one',
    'select $1::int as none where false',
    'select generate_series(1, $1::int) as several',
  ];
  const all = () =>
    Promise.all([
      db.query(one, [1], { isBatched }),
      db.query(none, [2], { isBatched }),
      db.query(several, [3], { isBatched }),
      db.query(one, [4], { isBatched }),
    ]);
  const expected = [
    [{ one: 1 }],
    [],
    [{ several: 1 }, { several: 2 }, { several: 3 }],
    [{ one: 4 }],
  ];
  for (let round = 0; round < 3; round++) expect(await all()).toStrictEqual(expected);
});

test('a crowd is divided', async () => {
  await prepare(fraction, 1);
  const pids = (await find(...Array<number>(40).fill(1))).flat().map(({ pid }) => pid);
  const counts = [...Map.groupBy(pids, (pid) => pid).values()].map(({ length }) => length);
  expect(counts.sort()).toEqual([16, 16, 8]);
});

test('what befalls one is nothing to those before and after it', async () => {
  await prepare(fraction, 1);
  const ended = await settled(1, 2, 0, 3, 0, 4);
  expect(
    ended.map((each) =>
      each.status === 'fulfilled' ? each.value[0]?.value : pgError(each.reason)?.code,
    ),
  ).toEqual([12, 6, '22012', 4, '22012', 3]);
  expect((await find(6))[0]?.[0]?.value).toBe(2);
});

test('a value that cannot be written fails its own statement alone', async () => {
  const sql = 'select $1::jsonb as body';
  await prepare(sql, '1');
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const [first, second, third] = await Promise.allSettled([
    db.query(sql, [{ a: 1 }], { isBatched }),
    db.query(sql, [circular], { isBatched }),
    db.query(sql, [{ b: 2 }], { isBatched }),
  ]);
  expect(first).toStrictEqual({ status: 'fulfilled', value: [{ body: { a: 1 } }] });
  expect(second?.status).toBe('rejected');
  expect(third).toStrictEqual({ status: 'fulfilled', value: [{ body: { b: 2 } }] });
});

test('a connection that ends is told to all that were on it, and the next find works', async () => {
  const end = 'select pg_terminate_backend(case when $1 then pg_backend_pid() end) as ended';
  await prepare(fraction, 1);
  await Promise.all(Array.from({ length: 8 }, () => db.query(end, [false])));
  const ended = await Promise.allSettled([
    db.query(fraction, [1], { isBatched }),
    db.query(end, [true], { isBatched }),
    db.query(fraction, [2], { isBatched }),
  ]);
  expect(ended[0]?.status).toBe('fulfilled');
  for (const each of ended.slice(1))
    expect(each.status === 'rejected' && isUnavailable(each.reason)).toBe(true);
  expect((await find(6))[0]?.[0]?.value).toBe(2);
});

test('in a transaction it sees what was written there', async () => {
  await db.query('create table finds (id int)');
  await db.transaction(async (tx) => {
    await tx.query('insert into finds values ($1)', [7]);
    expect(await tx.query('select id from finds where id = $1', [7], { isBatched })).toStrictEqual([
      { id: 7 },
    ]);
    expect(await db.query('select id from finds where id = $1', [7], { isBatched })).toEqual([]);
  });
});
