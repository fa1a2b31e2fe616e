/** How a transaction begins and ends: with its first and its last statement. */
import type { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { pgError } from '../../src/database/failures.js';
import type { Sql } from '../../src/database/wire/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { fail } from '../support/expect.js';
import { sentDuring as sentTo } from '../support/sent.js';

let database: TestDatabase;
let orm: MikroORM;
let db: Database;

beforeAll(async () => {
  database = await createDatabase();
  // One connection: each transaction meets what the one before it left behind.
  orm = await connect(database.url, { poolSize: 1, entities: [] });
  db = new Database(orm.em);
  await db.query('create table notes (id int primary key)');
});

beforeEach(async () => {
  await db.query('delete from notes');
});

afterAll(async () => {
  await orm?.close();
  await database?.drop();
});

const add = 'insert into notes (id) values ($1)';
const idsNow = async () =>
  (await db.query<{ id: number }>('select id from notes order by id')).map(({ id }) => id);
const codeOf = async (failing: Promise<unknown>) =>
  pgError(
    await failing.then(
      () => fail('it should have failed'),
      (error: unknown) => error,
    ),
  )?.code;

/** How often something was sent to PostgreSQL meanwhile. */
const sentDuring = (work: () => Promise<unknown>) => sentTo(database.url, work);

const ids = [1, 2];
const ways: readonly [name: string, statements: readonly Sql[]][] = [
  ['prepared', ids.map((id) => [add, [id]])],
  ['without values', ids.map((id) => [`insert into notes (id) values (${id})`, []])],
];
for (const [name, [first, last]] of ways) {
  test(`a statement ${name} goes out with the begin of its transaction, and the last with the commit`, async () => {
    const ending = () =>
      db.transaction(async (tx) => {
        if (first) await tx.query(...first);
        if (last) tx.append(last);
      });
    expect(await sentDuring(ending)).toBe(2);
    expect(await idsNow()).toEqual([1, 2]);
  });
}

test('a transaction of one statement, which is its last, is sent once; of none, not at all', async () => {
  expect(await sentDuring(() => db.transaction(async (tx) => tx.append([add, [1]])))).toBe(1);
  expect(await sentDuring(() => db.transaction(async () => {}))).toBe(0);
  const failing = () =>
    expect(db.transaction(() => Promise.reject(new Error('mine')))).rejects.toThrow(/mine/);
  expect(await sentDuring(failing)).toBe(0);
  expect(await idsNow()).toEqual([1]);
});

for (const [text, values] of [
  [add, [1]],
  ['insert into notes (id) values (1)', []],
] satisfies Sql[]) {
  test(`what a transaction concludes with is sent with its commit, alone or after others: ${text}`, async () => {
    expect(
      await sentDuring(() =>
        db.transaction((tx) => tx.query(text, values, { isLast: true }), { afterLast: 'nothing' }),
      ),
    ).toBe(1);
    const twice = async (tx: Database) => {
      await tx.query('delete from notes where id = $1', [1]);
      await tx.query(text, values, { isLast: true });
    };
    expect(await sentDuring(() => db.transaction(twice, { afterLast: 'nothing' }))).toBe(2);
    expect(await idsNow()).toEqual([1]);
  });
}

test('what a transaction concludes with and starts with are sent as one', async () => {
  const both = (tx: Database) => {
    tx.prepend([add, [1]]);
    return tx.query(add, [2], { isLast: true });
  };
  expect(await sentDuring(() => db.transaction(both, { afterLast: 'nothing' }))).toBe(1);
  expect(await idsNow()).toEqual([1, 2]);
});

test('what a transaction concludes with does not commit where more may come', async () => {
  const failing = db.transaction(async (tx) => {
    await tx.query(add, [1], { isLast: true });
    throw new Error('mine');
  });
  await expect(failing).rejects.toThrow(/mine/);
  const inside = db.transaction((tx) =>
    tx
      .transaction((same) => same.query(add, [1], { isLast: true }), { afterLast: 'nothing' })
      .then(() => Promise.reject(new Error('outer'))),
  );
  await expect(inside).rejects.toThrow(/outer/);
  const ending = (tx: Database) => {
    tx.append([add, [1]]);
    return tx.query(add, [1], { isLast: true });
  };
  expect(await codeOf(db.transaction(ending, { afterLast: 'nothing' }))).toBe('23505');
  expect(await idsNow()).toEqual([]);
});

test('what a transaction concludes with and fails takes all of it, and leaves nothing to the next', async () => {
  const failing = async (tx: Database) => {
    await tx.query(add, [1]);
    await tx.query(add, [1], { isLast: true });
  };
  expect(await codeOf(db.transaction(failing, { afterLast: 'nothing' }))).toBe('23505');
  expect(
    await codeOf(
      db.transaction((tx) => tx.query('select 1 / $1::int', [0], { isLast: true }), {
        afterLast: 'nothing',
      }),
    ),
  ).toBe('22012');
  await db.query(add, [3]);
  expect(await idsNow()).toEqual([3]);
});

test('what follows a conclusion after all is a transaction of its own', async () => {
  const following = async (tx: Database) => {
    await tx.query(add, [1], { isLast: true });
    await tx.query(add, [2]);
    throw new Error('mine');
  };
  await expect(db.transaction(following, { afterLast: 'nothing' })).rejects.toThrow(/mine/);
  expect(await idsNow()).toEqual([1]);
});

test('the first statement is in the transaction: it goes with the work that fails after it', async () => {
  const failing = db.transaction(async (tx) => {
    await tx.query(add, [1]);
    throw new Error('mine');
  });
  await expect(failing).rejects.toThrow(/mine/);
  expect(await idsNow()).toEqual([]);
});

for (const next of [
  [add, [2]],
  ['insert into notes (id) values (2)', []],
] satisfies Sql[]) {
  test(`what starts a transaction goes out with its begin and the next statement: ${next[0]}`, async () => {
    for (let round = 0; round < 2; round++) {
      await db.query('delete from notes');
      const starting = () =>
        db.transaction(async (tx) => {
          tx.prepend([add, [1]]);
          await tx.query(...next);
          tx.append([add, [3]]);
        });
      expect(await sentDuring(starting)).toBe(2);
      expect(await idsNow()).toEqual([1, 2, 3]);
    }
  });
}

test('what starts a transaction that has no other statement is not sent, and is told so', async () => {
  for (const error of [undefined, new Error('mine')]) {
    let ahead: Promise<unknown> = Promise.resolve();
    const work = async (tx: Database) => {
      ahead = tx.prepend([add, [1]]);
      if (error) throw error;
    };
    const ended = () => db.transaction(work).catch((thrown) => expect(thrown).toBe(error));
    expect(await sentDuring(ended)).toBe(0);
    await expect(ahead).rejects.toThrow(/no statement to send it with/);
  }
  expect(await idsNow()).toEqual([]);
});

test('what starts a transaction and what ends it are sent as one', async () => {
  const both = () =>
    db.transaction(async (tx) => {
      tx.prepend([add, [1]]);
      tx.append(['insert into notes (id) select id + 1 from notes where id = $1', [1]]);
    });
  expect(await sentDuring(both)).toBe(1);
  expect(await idsNow()).toEqual([1, 2]);
});

test('what starts a transaction and fails keeps the next statement from being run, which rejects with its error', async () => {
  await db.query(add, [1]);
  const failing = db.transaction(async (tx) => {
    tx.prepend([add, [1]]);
    await tx.query('select pg_sleep($1)', [60]);
  });
  expect(await codeOf(failing)).toBe('23505');
  expect(await idsNow()).toEqual([1]);
});

test('a value that cannot be written fails the transaction, with what starts it', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const failing = db.transaction(async (tx) => {
    tx.prepend([add, [1]]);
    await tx.query('select $1::jsonb', [circular]);
  });
  await expect(failing).rejects.toThrow(/cannot be written/);
  await db.transaction((tx) => tx.query(add, [2]));
  expect(await idsNow()).toEqual([2]);
});

test('a statement that fails behind what started its transaction takes that with it', async () => {
  const failing = db.transaction(async (tx) => {
    tx.prepend([add, [1]]);
    await tx.query(add, [1]);
  });
  expect(await codeOf(failing)).toBe('23505');
  expect(await idsNow()).toEqual([]);
});

test('a transaction that fails before its first statement sends nothing, and leaves nothing to the next', async () => {
  const failing = () =>
    expect(
      db.transaction((tx) => {
        tx.prepend([add, [1]]);
        tx.append([add, [2]]);
        throw new Error('mine');
      }),
    ).rejects.toThrow(/mine/);
  expect(await sentDuring(failing)).toBe(0);
  await db.query(add, [3]);
  await db.transaction((tx) => tx.query(add, [4]));
  expect(await idsNow()).toEqual([3, 4]);
});

test('a last statement that fails takes the transaction with it', async () => {
  const failing = db.transaction(async (tx) => {
    await tx.query(add, [1]);
    tx.append([add, [1]]);
  });
  expect(await codeOf(failing)).toBe('23505');
  expect(await idsNow()).toEqual([]);
});

test('a last statement does not commit what a swallowed error broke', async () => {
  const swallowing = db.transaction(async (tx) => {
    await tx.query(add, [1]);
    await tx.query(add, [1]).catch(() => {});
    tx.append([add, [2]]);
  });
  expect(await codeOf(swallowing)).toBe('25P02');
  expect(await idsNow()).toEqual([]);
});

test('a text that could not be prepared with a begin is prepared when it can be', async () => {
  const text = 'select id from later where id = $1';
  const read = () => db.transaction((tx) => tx.query(text, [1]));
  expect(await codeOf(read())).toBe('42P01');
  expect(await codeOf(read())).toBe('42P01');
  await db.query('create table later (id int)');
  expect(await read()).toEqual([]);
  expect(await read()).toEqual([]);
  expect(await db.query(text, [1])).toEqual([]);
});

test('a text that was prepared with a begin, and failed only as it ran, is not prepared twice', async () => {
  const divide = (by: number) =>
    db.transaction((tx) => tx.query<{ ratio: number }>('select 6 / $1::int as ratio', [by]));
  expect(await codeOf(divide(0))).toBe('22012');
  expect(await divide(2)).toStrictEqual([{ ratio: 3 }]);
});

describe('a commit that fails takes all that was sent with it', () => {
  beforeAll(async () => {
    await db.query(
      'create table links (id int primary key, other int references notes deferrable initially deferred)',
    );
  });
  const link = (tx: Database) =>
    tx.query('insert into links (id, other) values ($1, $2)', [1, 2], { isLast: true });

  test('a statement alone', async () => {
    expect(await codeOf(db.transaction(link, { afterLast: 'nothing' }))).toBe('23503');
    expect(await db.query('select from links')).toEqual([]);
  });

  test('a statement with another ahead of it', async () => {
    const both = (tx: Database) => {
      tx.prepend([add, [1]]);
      return link(tx);
    };
    // Prepared by the second time.
    for (let time = 0; time < 2; time++)
      expect(await codeOf(db.transaction(both, { afterLast: 'nothing' }))).toBe('23503');
    expect([await idsNow(), await db.query('select from links')]).toEqual([[], []]);
  });
});

test('several statements that start a transaction go out with the next one in their order, and each fails it', async () => {
  const three = (first: number) => async (tx: Database) => {
    const ahead = [
      tx.prepend([add, [first]]),
      tx.prepend(['insert into notes (id) select max(id) + 1 from notes where $1', [true]]),
    ];
    await tx.query('insert into notes (id) select max(id) + 10 from notes where $1', [true]);
    expect(await Promise.all(ahead)).toEqual([[], []]);
  };
  await db.query(add, [5]);
  expect(await codeOf(db.transaction(three(5)))).toBe('23505');
  expect(await idsNow()).toEqual([5]);
  expect(await sentDuring(() => db.transaction(three(7)))).toBe(2);
  expect(await idsNow()).toEqual([5, 7, 8, 18]);
});

describe('one statement at a time is under way on the connection of a transaction', () => {
  /**
   * How often something was handed to pg while its connection had not answered what was handed to
   * it before.
   */
  async function overlapsDuring(work: () => Promise<unknown>): Promise<number> {
    const busy = new Set<unknown>();
    let overlaps = 0;
    const { query } = pg.Client.prototype;
    pg.Client.prototype.query = function noted(this: pg.Client, ...given: unknown[]) {
      if (busy.has(this)) overlaps++;
      busy.add(this);
      const sent = (query as (...all: unknown[]) => unknown).apply(this, given) as
        | Promise<unknown>
        | { results: Promise<unknown> };
      const answered = () => busy.delete(this);
      ('results' in sent ? sent.results : sent).then(answered, answered);
      return sent;
    } as typeof query;
    try {
      await work();
    } finally {
      pg.Client.prototype.query = query;
    }
    return overlaps;
  }

  test('where its work sends several at once', async () => {
    const several = async (tx: Database) => {
      await Promise.all(ids.map((id) => tx.query(add, [id])));
      await Promise.all([
        tx.query(add, [3]),
        tx.query('insert into notes (id) values (4)'),
        tx.query(add, [5]),
      ]);
    };
    expect(await overlapsDuring(() => db.transaction(several))).toBe(0);
    expect(await idsNow()).toEqual([1, 2, 3, 4, 5]);
  });

  test('where one of several fails while others wait', async () => {
    const failing = (tx: Database) =>
      Promise.all([tx.query(add, [1]), tx.query(add, [1]), tx.query(add, [2]), tx.query(add, [3])]);
    const overlaps = await overlapsDuring(async () =>
      expect(await codeOf(db.transaction(failing))).toBe('23505'),
    );
    expect(overlaps).toBe(0);
    expect(await idsNow()).toEqual([]);
  });

  test('a statement that comes after the end of its transaction is refused', async () => {
    let late: Database | undefined;
    await db.transaction(async (tx) => {
      late = tx;
      await tx.query(add, [1]);
    });
    await expect(late?.query(add, [2])).rejects.toThrow(/has ended/);
    expect(await idsNow()).toEqual([1]);
  });
});
