/**
 * Group commit: who shares a transaction, and what becomes of the others when one of them fails.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { isUnavailable, pgError } from '../../src/database/failures.js';
import type { Sql } from '../../src/database/wire/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { ensure } from '../support/expect.js';

let database: TestDatabase;
let orm: MikroORM;
let db: Database;
const [a = '', b = '', c = '', ...more] = Array.from({ length: 20 }, () => randomUUID());

beforeAll(async () => {
  database = await createDatabase();
  orm = await connect(database.url, { poolSize: 4, entities: [] });
  db = new Database(orm.em);
  await db.query(
    'alter table organization_clocks drop constraint organization_clocks_organization_id_fkey',
  );
  await db.query(
    'insert into organization_clocks (organization_id, ticked_at) select unnest($1::uuid[]), now()',
    [[a, b, c, ...more]],
  );
  await db.query('create table notes (id int primary key)');
  await db.query('create table claims (id int primary key)');
  await db.query(
    'create table links (id int primary key, other int references notes deferrable initially deferred)',
  );
});

beforeEach(async () => {
  attempts.clear();
  await db.query('delete from claims');
  await db.query('delete from links');
  await db.query('delete from notes');
});

afterAll(async () => {
  await orm?.close();
  await database?.drop();
});

interface Written {
  readonly id: number;
  readonly xid: string;
}

const add = 'insert into notes (id) values ($1) returning id, pg_current_xact_id()::text as xid';
const gentle = add.replace('returning', 'on conflict do nothing returning');
const link = `insert into links (id, other) values ($1, $1) returning id, pg_current_xact_id()::text as xid`;
const idsNow = async () =>
  (await db.query<{ id: number }>('select id from notes order by id')).map(({ id }) => id);
const numbers = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => from + index);

interface Writing {
  readonly clock?: string;
  readonly ahead?: readonly Sql[];
  readonly undo?: readonly Sql[];
  readonly text?: string;
  /** Among others. */
  readonly shared?: string;
  /** What it ends with, if anything. */
  readonly last?: (written: Written | undefined, tx: Database) => Promise<Sql | undefined>;
}

/** How often the work of each was run. */
const attempts = new Map<number, number>();

function write(
  id: number,
  { clock = a, ahead = [], undo = [], text = add, shared = text, last }: Writing = {},
): Promise<Written | undefined> {
  const work = async (tx: Database) => {
    attempts.set(id, (attempts.get(id) ?? 0) + 1);
    for (const sql of ahead) tx.prepend(sql, ...undo);
    const [written] = await tx.query<Written>(text, [id], {
      isLast: true,
      clock,
      groupText: shared,
    });
    const sql = await last?.(written, tx);
    if (sql) tx.append(sql);
    return written;
  };
  return db.transaction(work, { afterLast: last ? 'appended' : 'nothing' });
}

/** How many shared each transaction. */
const sharesOf = (all: readonly (Written | undefined)[]) =>
  [...Map.groupBy(all, (each) => each?.xid).values()]
    .map(({ length }) => length)
    .sort((one, other) => other - one);
/** Ids of those that succeeded, or what befell them. */
const outcomes = async (all: readonly Promise<Written | undefined>[]) =>
  (await Promise.allSettled(all)).map((each) =>
    each.status === 'fulfilled' ? each.value?.id : (pgError(each.reason)?.code ?? each.reason),
  );
const next = async (written?: Written): Promise<Sql> => [add, [(written?.id ?? 0) + 100]];

/** Holds something in a transaction of its own while `work` is done. */
async function holding<T>(
  sql: string,
  values: readonly unknown[],
  work: () => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query(sql, values);
    return work();
  });
}
const takeClock = 'select from organization_clocks where organization_id = $1 for update';

describe('who goes together', () => {
  test('up to sixteen of one moment that tick the same clock', async () => {
    const all = await Promise.all(numbers(20).map((id) => write(id)));
    expect(sharesOf(all)).toEqual([16, 4]);
    expect(all.map((each) => each?.id)).toStrictEqual(numbers(20));
    expect(await idsNow()).toStrictEqual(numbers(20));
  });

  test('never those of different organizations', async () => {
    const clocks = [a, b, c, ...more, ...more];
    const all = await Promise.all(clocks.map((clock, id) => write(id, { clock })));
    expect(sharesOf(all)).toStrictEqual([...more.map(() => 2), 1, 1, 1]);
    expect(await idsNow()).toHaveLength(clocks.length);
  });

  test('those that have a last statement, which commits with the others, and those that have none', async () => {
    const all = await Promise.all(numbers(6).map((id) => write(id, id % 3 ? { last: next } : {})));
    expect(sharesOf(all)).toEqual([6]);
    expect(await idsNow()).toStrictEqual([...numbers(6), 101, 102, 104, 105]);
  });

  test('nobody with one that comes alone, or does something first', async () => {
    const first = await write(1);
    const all = await Promise.all([
      write(2),
      db.transaction(
        async (tx) => {
          await tx.query('select $1::int', [1]);
          return (await tx.query<Written>(add, [3], { isLast: true, clock: a, groupText: add }))[0];
        },
        { afterLast: 'nothing' },
      ),
    ]);
    expect(sharesOf([first, ...all])).toEqual([1, 1, 1]);
  });

  test('where somebody has the clock of one organization, only that one waits', async () => {
    const waiting = await holding(takeClock, [a], async () => {
      const all = [
        write(1),
        write(2, { clock: b }),
        write(3, { last: next }),
        write(4, { clock: c }),
      ];
      expect(await outcomes([all[1], all[3]].filter((each) => each !== undefined))).toEqual([2, 4]);
      await delay(100);
      expect(await idsNow()).toEqual([2, 4]);
      return { all };
    });
    expect(sharesOf(await Promise.all(waiting.all))).toEqual([2, 1, 1]);
    expect(await idsNow()).toEqual([1, 2, 3, 4, 103]);
  });

  test('one that waits for a lock keeps nobody else in other organizations', async () => {
    await db.query('insert into notes (id) values (50)');
    const late = await holding('delete from notes where id = $1', [50], async () => {
      const stuck = write(50);
      await delay(10);
      expect(await outcomes(numbers(3).map((id) => write(id, { clock: b })))).toEqual([1, 2, 3]);
      return { stuck };
    });
    expect((await late.stuck)?.id).toBe(50);
  });
});

describe('what befalls one is nothing to the others, and those of another organization are not even run again', () => {
  const clocks = [a, b];
  const all = (how: (id: number) => Writing = () => ({})) =>
    numbers(6).map((id) =>
      write(id, { clock: clocks[id % 2] ?? a, ...(id > 3 && { last: next }), ...how(id) }),
    );
  const others = [1, 3, 4, 5, 6, 104, 105, 106];

  test('a statement that does nothing among others, and alone fails: nobody else is run again', async () => {
    await db.query('insert into notes (id) values (2), (5)');
    const claimed = (id: number): Sql => ['insert into claims (id) values ($1)', [id]];
    const released = (id: number): Sql => ['delete from claims where id = $1', [id]];
    const claiming = (id: number) => ({
      shared: gentle,
      ...(id > 3 && { ahead: [claimed(id)], undo: [released(id)] }),
    });
    expect(await outcomes(all(claiming))).toEqual([1, '23505', 3, 4, '23505', 6]);
    expect(await idsNow()).toEqual([1, 2, 3, 4, 5, 6, 104, 106]);
    expect(await db.query('select id from claims order by id')).toStrictEqual([
      { id: 4 },
      { id: 6 },
    ]);
    expect(Object.fromEntries(attempts)).toStrictEqual({ 1: 1, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1 });
  });

  test('all of them do', async () => {
    await db.query('insert into notes (id) select generate_series(1, 6)');
    const claiming = (id: number) => ({
      shared: gentle,
      ahead: [['insert into claims (id) values ($1)', [id]] as Sql],
      undo: [['delete from claims where id = $1', [id]] as Sql],
      last: next,
    });
    expect(await outcomes(all(claiming))).toStrictEqual(Array(6).fill('23505'));
    expect(await db.query('select id from claims')).toEqual([]);
  });

  test('a statement that fails', async () => {
    await db.query('insert into notes (id) values (2)');
    expect(await outcomes(all())).toEqual([1, '23505', 3, 4, 5, 6]);
    expect(await idsNow()).toStrictEqual([1, 2, ...others.slice(1)]);
    expect(Object.fromEntries(attempts)).toStrictEqual({ 1: 1, 2: 2, 3: 1, 4: 2, 5: 1, 6: 2 });
  });

  test('a last statement that fails', async () => {
    await db.query('insert into notes (id) values (105)');
    expect(await outcomes(all())).toEqual([1, 2, 3, 4, '23505', 6]);
    expect(await idsNow()).toEqual([1, 2, 3, 4, 6, 104, 105, 106]);
  });

  test('a commit that fails', async () => {
    for (const isLast of [false, true]) {
      await db.query('delete from notes');
      const failing = { text: link, ...(isLast && { last: async () => undefined }) };
      expect(await outcomes(all((id) => (id === 2 ? failing : {})))).toEqual([
        1,
        '23503',
        3,
        4,
        5,
        6,
      ]);
      expect(await idsNow()).toStrictEqual(others);
    }
  });

  test('what goes ahead of some of them and fails', async () => {
    const [failing, holds]: Sql[] = [
      ['select 1 / $1::int', [0]],
      ['select 1 / $1::int', [1]],
    ];
    ensure(failing && holds);
    expect(await outcomes(all((id) => ({ ahead: [id % 3 ? holds : failing] })))).toEqual([
      1,
      2,
      '22012',
      4,
      5,
      '22012',
    ]);
    expect(await idsNow()).toEqual([1, 2, 4, 5, 104, 105]);
  });

  test('one that fails by itself, later', async () => {
    const mine = new Error('mine');
    const failing = { last: () => Promise.reject(mine) };
    expect(await outcomes(all((id) => (id === 2 ? failing : {})))).toStrictEqual([
      1,
      mine,
      3,
      4,
      5,
      6,
    ]);
    expect(await idsNow()).toStrictEqual(others);
  });

  test('one that has more to do', async () => {
    const reading = {
      last: async (_: Written | undefined, tx: Database): Promise<Sql> => [
        add,
        [(await tx.query<Written>('select 200 + $1::int as id', [2]))[0]?.id],
      ],
    };
    expect(await outcomes(all((id) => (id === 2 ? reading : {})))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await idsNow()).toStrictEqual([1, 2, ...others.slice(1), 202]);
  });

  test('a value that cannot be written', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const [one, two, three] = await outcomes(
      all((id) => (id === 2 ? { ahead: [['select $1::jsonb', [circular]]] } : {})),
    );
    expect([one, two, three]).toEqual([1, '22000', 3]);
    expect(await idsNow()).toStrictEqual(others);
  });
});

describe('what befalls all is told to all, and not tried again', () => {
  test('a connection that is lost: nobody knows what was committed', async () => {
    for (const last of [undefined, next]) {
      attempts.clear();
      const ending: Sql = ['select pg_terminate_backend(pg_backend_pid()) where $1', [true]];
      const all = numbers(4).map((id) =>
        write(id, { ...(id === 3 && { ahead: [ending] }), ...(last && { last }) }),
      );
      for (const each of await Promise.allSettled(all))
        ensure(each.status === 'rejected' && isUnavailable(each.reason), String(each.status));
      expect([...attempts.values()]).toEqual([1, 1, 1, 1]);
      expect(await idsNow()).toEqual([]);
    }
    expect((await write(1))?.id).toBe(1);
  });

  test('a limit of time', async () => {
    await db.query(
      `create function give_up() returns void language plpgsql as $$ begin raise lock_not_available; end $$`,
    );
    const all = numbers(4).map((id) =>
      write(id, id === 3 ? { ahead: [['select give_up() where $1', [true]]] } : {}),
    );
    expect(await outcomes(all)).toEqual(['55P03', '55P03', '55P03', '55P03']);
    expect([...attempts.values()]).toEqual([1, 1, 1, 1]);
  });

  test('that there is no connection', async () => {
    const held = Promise.withResolvers<void>();
    const holders = numbers(4).map(() => holding('select $1::int', [1], () => held.promise));
    await delay(50);
    for (const each of await Promise.allSettled(numbers(3).map((id) => write(id))))
      expect(each.status === 'rejected' && isUnavailable(each.reason)).toBe(true);
    held.resolve();
    await Promise.all(holders);
    expect(await outcomes(numbers(3).map((id) => write(id)))).toEqual([1, 2, 3]);
  });
});

test('switched off, each has a transaction of its own, and the same outcome', async () => {
  const off = await connect(database.url, { poolSize: 4, entities: [], groupCommit: false });
  const on = db;
  try {
    const run = async () => {
      await db.query('insert into notes (id) values (2)');
      const all = numbers(6).map((id) =>
        write(id, { shared: gentle, ...(id > 3 && { last: next }) }),
      );
      const xids = (await Promise.allSettled(all)).map((each) =>
        each.status === 'fulfilled' ? each.value?.xid : undefined,
      );
      const left = [await outcomes(all), await idsNow()];
      await db.query('delete from notes');
      return { left, transactions: new Set(xids.filter((xid) => xid !== undefined)).size };
    };
    const grouped = await run();
    db = new Database(off.em);
    const alone = await run();
    expect(alone.left).toEqual(grouped.left);
    expect([grouped.transactions, alone.transactions]).toEqual([1, 5]);
  } finally {
    db = on;
    await off.close();
  }
});
