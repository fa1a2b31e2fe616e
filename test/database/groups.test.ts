/** Group commit: who shares a transaction, and what becomes of the others when one of them fails. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Sql } from '../../src/database/client.js';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { isUnavailable, pgError } from '../../src/database/failures.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let orm: MikroORM;
let db: Database;
const [a = '', b = '', c = '', ...more] = Array.from({ length: 20 }, () => randomUUID());

before(async () => {
  database = await createDatabase();
  orm = await connect(database.url, { poolSize: 4, entities: [] });
  db = new Database(orm.em);
  await db.query('alter table organization_clocks drop constraint organization_clocks_organization_id_fkey');
  await db.query('insert into organization_clocks (organization_id, ticked_at) select unnest($1::uuid[]), now()', [[a, b, c, ...more]]);
  await db.query('create table notes (id int primary key)');
  await db.query('create table claims (id int primary key)');
  await db.query('create table links (id int primary key, other int references notes deferrable initially deferred)');
});

beforeEach(async () => {
  attempts.clear();
  await db.query('delete from claims');
  await db.query('delete from links');
  await db.query('delete from notes');
});

after(async () => {
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
const idsNow = async () => (await db.query<{ id: number }>('select id from notes order by id')).map(({ id }) => id);
const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

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
    for (const sql of ahead) tx.startWith(sql, ...undo);
    const [written] = await tx.conclude<Written>(text, [id], { clock, text: shared });
    const sql = await last?.(written, tx);
    if (sql) tx.endWith(sql);
    return written;
  };
  return db.transaction(work, last ? 'last' : 'nothing');
}

/** How many shared each transaction. */
const sharesOf = (all: readonly (Written | undefined)[]) =>
  [...Map.groupBy(all, (each) => each?.xid).values()].map(({ length }) => length).sort((one, other) => other - one);
/** Ids of those that succeeded, or what befell them. */
const outcomes = async (all: readonly Promise<Written | undefined>[]) =>
  (await Promise.allSettled(all)).map((each) =>
    each.status === 'fulfilled' ? each.value?.id : (pgError(each.reason)?.code ?? each.reason),
  );
const next = async (written?: Written): Promise<Sql> => [add, [(written?.id ?? 0) + 100]];

/** Holds something in a transaction of its own while `work` is done. */
async function holding<T>(sql: string, values: readonly unknown[], work: () => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.query(sql, values);
    return work();
  });
}
const takeClock = 'select from organization_clocks where organization_id = $1 for update';

/** As `add`, once it has the clock of `a`. */
const ticking = `with clock as (${takeClock.replace('$1', `'${a}'`)})
  ${add.replace('values ($1)', 'select $1::int from (select count(*) from clock) done')}`;

describe('who goes together', () => {
  test('up to sixteen of one moment that tick the same clock', async () => {
    const all = await Promise.all(numbers(20).map((id) => write(id)));
    assert.deepEqual(sharesOf(all), [16, 4]);
    assert.deepEqual(
      all.map((each) => each?.id),
      numbers(20),
    );
    assert.deepEqual(await idsNow(), numbers(20));
  });

  test('those that tick different ones, too', async () => {
    const clocks = [a, b, c, ...more];
    const all = await Promise.all(clocks.map((clock, id) => write(id, { clock })));
    assert.deepEqual(sharesOf(all), [16, 4]);
    assert.equal((await idsNow()).length, 20);
  });

  test('those that have a last statement, which commits with the others, and those that have none', async () => {
    const all = await Promise.all(numbers(6).map((id) => write(id, { clock: id % 2 ? a : b, ...(id % 3 && { last: next }) })));
    assert.deepEqual(sharesOf(all), [6]);
    assert.deepEqual(await idsNow(), [...numbers(6), 101, 102, 104, 105]);
  });

  test('nobody with one that comes alone, or does something first', async () => {
    const first = await write(1);
    const all = await Promise.all([
      write(2),
      db.transaction(async (tx) => {
        await tx.query('select $1::int', [1]);
        return (await tx.conclude<Written>(add, [3], { clock: a, text: add }))[0];
      }, 'nothing'),
    ]);
    assert.deepEqual(sharesOf([first, ...all]), [1, 1, 1]);
  });

  test('what several are to be preceded by is run once', async () => {
    const shared: Sql = ['insert into links (id) values ($1)', [7]];
    await Promise.all(numbers(5).map((id) => write(id, { ahead: [shared] })));
    assert.deepEqual(await db.query('select id from links'), [{ id: 7 }]);
    assert.deepEqual([...attempts.values()], [1, 1, 1, 1, 1]);
  });

  test('not those whose clock somebody else has: they wait, and the others do not', async () => {
    const waiting = await holding(takeClock, [a], async () => {
      const all = [write(1, { text: ticking }), write(2, { clock: b }), write(3, { text: ticking, last: next }), write(4, { clock: c })];
      assert.deepEqual(await outcomes([all[1], all[3]].filter((each) => each !== undefined)), [2, 4]);
      await delay(100);
      assert.deepEqual(await idsNow(), [2, 4]);
      return { all };
    });
    assert.deepEqual(sharesOf(await Promise.all(waiting.all)), [2, 2]);
    assert.deepEqual(await idsNow(), [1, 2, 3, 4, 103]);
  });

  test('what goes ahead of one is refused at once, though another waits for the clock', async () => {
    const waiting = await holding(takeClock, [a], async () => {
      const stuck = write(1, { text: ticking });
      assert.deepEqual(await outcomes([write(2, { text: ticking, ahead: [['select 1 / $1::int', [0]]] })]), ['22012']);
      return { stuck };
    });
    assert.equal((await waiting.stuck)?.id, 1);
  });

  test('an organization that has no clock yet goes alone', async () => {
    const all = await Promise.all([write(1), write(2, { clock: randomUUID() }), write(3, { clock: b })]);
    assert.deepEqual(sharesOf(all), [2, 1]);
  });

  test('one that waits for a lock keeps those that come later from nothing', async () => {
    await db.query('insert into notes (id) values (50)');
    const late = await holding('delete from notes where id = $1', [50], async () => {
      const stuck = write(50);
      await delay(10);
      assert.deepEqual(await outcomes(numbers(3).map((id) => write(id))), [1, 2, 3]);
      return { stuck };
    });
    assert.equal((await late.stuck)?.id, 50);
  });
});

describe('what befalls one is nothing to the others', () => {
  const clocks = [a, b];
  const all = (how: (id: number) => Writing = () => ({})) =>
    numbers(6).map((id) => write(id, { clock: clocks[id % 2] ?? a, ...(id > 3 && { last: next }), ...how(id) }));
  const others = [1, 3, 4, 5, 6, 104, 105, 106];

  test('a statement that does nothing among others, and alone fails: nobody else is run again', async () => {
    await db.query('insert into notes (id) values (2), (5)');
    const claimed = (id: number): Sql => ['insert into claims (id) values ($1)', [id]];
    const released = (id: number): Sql => ['delete from claims where id = $1', [id]];
    const claiming = (id: number) => ({ shared: gentle, ...(id > 3 && { ahead: [claimed(id)], undo: [released(id)] }) });
    assert.deepEqual(await outcomes(all(claiming)), [1, '23505', 3, 4, '23505', 6]);
    assert.deepEqual(await idsNow(), [1, 2, 3, 4, 5, 6, 104, 106]);
    assert.deepEqual(await db.query('select id from claims order by id'), [{ id: 4 }, { id: 6 }]);
    assert.deepEqual(Object.fromEntries(attempts), { 1: 1, 2: 2, 3: 1, 4: 1, 5: 2, 6: 1 });
  });

  test('all of them do', async () => {
    await db.query('insert into notes (id) select generate_series(1, 6)');
    const claiming = (id: number) => ({
      shared: gentle,
      ahead: [['insert into claims (id) values ($1)', [id]] as Sql],
      undo: [['delete from claims where id = $1', [id]] as Sql],
      last: next,
    });
    assert.deepEqual(await outcomes(all(claiming)), Array(6).fill('23505'));
    assert.deepEqual(await db.query('select id from claims'), []);
  });

  test('a statement that fails', async () => {
    await db.query('insert into notes (id) values (2)');
    assert.deepEqual(await outcomes(all()), [1, '23505', 3, 4, 5, 6]);
    assert.deepEqual(await idsNow(), [1, 2, ...others.slice(1)]);
    assert.ok([...attempts.values()].every((count) => count === 2));
  });

  test('a last statement that fails', async () => {
    await db.query('insert into notes (id) values (105)');
    assert.deepEqual(await outcomes(all()), [1, 2, 3, 4, '23505', 6]);
    assert.deepEqual(await idsNow(), [1, 2, 3, 4, 6, 104, 105, 106]);
  });

  test('a commit that fails', async () => {
    for (const isLast of [false, true]) {
      await db.query('delete from notes');
      const failing = { text: link, ...(isLast && { last: async () => undefined }) };
      assert.deepEqual(await outcomes(all((id) => (id === 2 ? failing : {}))), [1, '23503', 3, 4, 5, 6]);
      assert.deepEqual(await idsNow(), others);
    }
  });

  test('what goes ahead of some of them and fails', async () => {
    const [failing, holds]: Sql[] = [
      ['select 1 / $1::int', [0]],
      ['select 1 / $1::int', [1]],
    ];
    assert.ok(failing && holds);
    assert.deepEqual(await outcomes(all((id) => ({ ahead: [id % 3 ? holds : failing] }))), [1, 2, '22012', 4, 5, '22012']);
    assert.deepEqual(await idsNow(), [1, 2, 4, 5, 104, 105]);
  });

  test('one that fails by itself, later', async () => {
    const mine = new Error('mine');
    const failing = { last: () => Promise.reject(mine) };
    assert.deepEqual(await outcomes(all((id) => (id === 2 ? failing : {}))), [1, mine, 3, 4, 5, 6]);
    assert.deepEqual(await idsNow(), others);
  });

  test('one that has more to do', async () => {
    const reading = {
      last: async (_: Written | undefined, tx: Database): Promise<Sql> => [
        add,
        [(await tx.query<Written>('select 200 + $1::int as id', [2]))[0]?.id],
      ],
    };
    assert.deepEqual(await outcomes(all((id) => (id === 2 ? reading : {}))), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(await idsNow(), [1, 2, ...others.slice(1), 202]);
  });

  test('a value that cannot be written', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const [one, two, three] = await outcomes(all((id) => (id === 2 ? { ahead: [['select $1::jsonb', [circular]]] } : {})));
    assert.deepEqual([one, three], [1, 3]);
    assert.match(String(two), /cannot be written/);
    assert.deepEqual(await idsNow(), others);
  });
});

describe('what befalls all is told to all, and not tried again', () => {
  test('a connection that is lost: nobody knows what was committed', async () => {
    for (const last of [undefined, next]) {
      attempts.clear();
      const ending: Sql = ['select pg_terminate_backend(pg_backend_pid()) where $1', [true]];
      const all = numbers(4).map((id) => write(id, { ...(id === 3 && { ahead: [ending] }), ...(last && { last }) }));
      for (const each of await Promise.allSettled(all))
        assert.ok(each.status === 'rejected' && isUnavailable(each.reason), String(each.status));
      assert.deepEqual([...attempts.values()], [1, 1, 1, 1]);
      assert.deepEqual(await idsNow(), []);
    }
    assert.equal((await write(1))?.id, 1);
  });

  test('a limit of time', async () => {
    await db.query(`create function give_up() returns void language plpgsql as $$ begin raise lock_not_available; end $$`);
    const all = numbers(4).map((id) => write(id, id === 3 ? { ahead: [['select give_up() where $1', [true]]] } : {}));
    assert.deepEqual(await outcomes(all), ['55P03', '55P03', '55P03', '55P03']);
    assert.deepEqual([...attempts.values()], [1, 1, 1, 1]);
  });

  test('that there is no connection', async () => {
    const held = Promise.withResolvers<void>();
    const holders = numbers(4).map(() => holding('select $1::int', [1], () => held.promise));
    await delay(50);
    for (const each of await Promise.allSettled(numbers(3).map((id) => write(id))))
      assert.ok(each.status === 'rejected' && isUnavailable(each.reason));
    held.resolve();
    await Promise.all(holders);
    assert.deepEqual(await outcomes(numbers(3).map((id) => write(id))), [1, 2, 3]);
  });
});
