/** How a transaction begins and ends: with its first and its last statement. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Sql } from '../../src/database/client.js';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { pgError } from '../../src/database/failures.js';
import { NotSent } from '../../src/database/together.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { sentDuring as sentTo } from '../support/sent.js';

let database: TestDatabase;
let orm: MikroORM;
let db: Database;

before(async () => {
  database = await createDatabase();
  // One connection: each transaction meets what the one before it left behind.
  orm = await connect(database.url, { poolSize: 1, entities: [] });
  db = new Database(orm.em);
  await db.query('create table notes (id int primary key)');
});

beforeEach(async () => {
  await db.query('delete from notes');
});

after(async () => {
  await orm?.close();
  await database?.drop();
});

const add = 'insert into notes (id) values ($1)';
const idsNow = async () => (await db.query<{ id: number }>('select id from notes order by id')).map(({ id }) => id);
const codeOf = async (failing: Promise<unknown>) =>
  pgError(
    await failing.then(
      () => assert.fail('it should have failed'),
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
        if (last) tx.endWith(last);
      });
    assert.equal(await sentDuring(ending), 2);
    assert.deepEqual(await idsNow(), [1, 2]);
  });
}

test('a transaction of one statement, which is its last, is sent once; of none, not at all', async () => {
  assert.equal(await sentDuring(() => db.transaction(async (tx) => tx.endWith([add, [1]]))), 1);
  assert.equal(await sentDuring(() => db.transaction(async () => {})), 0);
  const failing = () =>
    assert.rejects(
      db.transaction(() => Promise.reject(new Error('mine'))),
      /mine/,
    );
  assert.equal(await sentDuring(failing), 0);
  assert.deepEqual(await idsNow(), [1]);
});

for (const [text, values] of [
  [add, [1]],
  ['insert into notes (id) values (1)', []],
] satisfies Sql[]) {
  test(`what a transaction concludes with is sent with its commit, alone or after others: ${text}`, async () => {
    assert.equal(await sentDuring(() => db.transaction((tx) => tx.conclude(text, values), 'nothing')), 1);
    const twice = async (tx: Database) => {
      await tx.query('delete from notes where id = $1', [1]);
      await tx.conclude(text, values);
    };
    assert.equal(await sentDuring(() => db.transaction(twice, 'nothing')), 2);
    assert.deepEqual(await idsNow(), [1]);
  });
}

test('what a transaction concludes with and starts with are sent as one', async () => {
  const both = (tx: Database) => {
    tx.startWith([add, [1]]);
    return tx.conclude(add, [2]);
  };
  assert.equal(await sentDuring(() => db.transaction(both, 'nothing')), 1);
  assert.deepEqual(await idsNow(), [1, 2]);
});

test('what a transaction concludes with does not commit where more may come', async () => {
  const failing = db.transaction(async (tx) => {
    await tx.conclude(add, [1]);
    throw new Error('mine');
  });
  await assert.rejects(failing, /mine/);
  const inside = db.transaction((tx) =>
    tx.transaction((same) => same.conclude(add, [1]), 'nothing').then(() => Promise.reject(new Error('outer'))),
  );
  await assert.rejects(inside, /outer/);
  const ending = (tx: Database) => {
    tx.endWith([add, [1]]);
    return tx.conclude(add, [1]);
  };
  assert.equal(await codeOf(db.transaction(ending, 'nothing')), '23505');
  assert.deepEqual(await idsNow(), []);
});

test('what a transaction concludes with and fails takes all of it, and leaves nothing to the next', async () => {
  const failing = async (tx: Database) => {
    await tx.query(add, [1]);
    await tx.conclude(add, [1]);
  };
  assert.equal(await codeOf(db.transaction(failing, 'nothing')), '23505');
  assert.equal(await codeOf(db.transaction((tx) => tx.conclude('select 1 / $1::int', [0]), 'nothing')), '22012');
  await db.query(add, [3]);
  assert.deepEqual(await idsNow(), [3]);
});

test('what follows a conclusion after all is a transaction of its own', async () => {
  const following = async (tx: Database) => {
    await tx.conclude(add, [1]);
    await tx.query(add, [2]);
    throw new Error('mine');
  };
  await assert.rejects(db.transaction(following, 'nothing'), /mine/);
  assert.deepEqual(await idsNow(), [1]);
});

test('the first statement is in the transaction: it goes with the work that fails after it', async () => {
  const failing = db.transaction(async (tx) => {
    await tx.query(add, [1]);
    throw new Error('mine');
  });
  await assert.rejects(failing, /mine/);
  assert.deepEqual(await idsNow(), []);
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
          tx.startWith([add, [1]]);
          await tx.query(...next);
          tx.endWith([add, [3]]);
        });
      assert.equal(await sentDuring(starting), 2);
      assert.deepEqual(await idsNow(), [1, 2, 3]);
    }
  });
}

test('what starts a transaction that has no other statement is not sent, and is told so', async () => {
  for (const error of [undefined, new Error('mine')]) {
    let ahead: Promise<unknown> = Promise.resolve();
    const work = async (tx: Database) => {
      ahead = tx.startWith([add, [1]]);
      if (error) throw error;
    };
    const ended = () => db.transaction(work).catch((thrown) => assert.equal(thrown, error));
    assert.equal(await sentDuring(ended), 0);
    await assert.rejects(ahead, NotSent);
  }
  assert.deepEqual(await idsNow(), []);
});

test('what starts a transaction and what ends it are sent as one', async () => {
  const both = () =>
    db.transaction(async (tx) => {
      tx.startWith([add, [1]]);
      tx.endWith(['insert into notes (id) select id + 1 from notes where id = $1', [1]]);
    });
  assert.equal(await sentDuring(both), 1);
  assert.deepEqual(await idsNow(), [1, 2]);
});

test('what starts a transaction and fails keeps the next statement from being run, which rejects with its error', async () => {
  await db.query(add, [1]);
  const failing = db.transaction(async (tx) => {
    tx.startWith([add, [1]]);
    await tx.query('select pg_sleep($1)', [60]);
  });
  assert.equal(await codeOf(failing), '23505');
  assert.deepEqual(await idsNow(), [1]);
});

test('a value that cannot be written fails the transaction, with what starts it', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const failing = db.transaction(async (tx) => {
    tx.startWith([add, [1]]);
    await tx.query('select $1::jsonb', [circular]);
  });
  await assert.rejects(failing, /cannot be written/);
  await db.transaction((tx) => tx.query(add, [2]));
  assert.deepEqual(await idsNow(), [2]);
});

test('a statement that fails behind what started its transaction takes that with it', async () => {
  const failing = db.transaction(async (tx) => {
    tx.startWith([add, [1]]);
    await tx.query(add, [1]);
  });
  assert.equal(await codeOf(failing), '23505');
  assert.deepEqual(await idsNow(), []);
});

test('a transaction that fails before its first statement sends nothing, and leaves nothing to the next', async () => {
  const failing = () =>
    assert.rejects(
      db.transaction((tx) => {
        tx.startWith([add, [1]]);
        tx.endWith([add, [2]]);
        throw new Error('mine');
      }),
      /mine/,
    );
  assert.equal(await sentDuring(failing), 0);
  await db.query(add, [3]);
  await db.transaction((tx) => tx.query(add, [4]));
  assert.deepEqual(await idsNow(), [3, 4]);
});

test('a last statement that fails takes the transaction with it', async () => {
  const failing = db.transaction(async (tx) => {
    await tx.query(add, [1]);
    tx.endWith([add, [1]]);
  });
  assert.equal(await codeOf(failing), '23505');
  assert.deepEqual(await idsNow(), []);
});

test('a last statement does not commit what a swallowed error broke', async () => {
  const swallowing = db.transaction(async (tx) => {
    await tx.query(add, [1]);
    await tx.query(add, [1]).catch(() => {});
    tx.endWith([add, [2]]);
  });
  assert.equal(await codeOf(swallowing), '25P02');
  assert.deepEqual(await idsNow(), []);
});

test('a text that could not be prepared with a begin is prepared when it can be', async () => {
  const text = 'select id from later where id = $1';
  const read = () => db.transaction((tx) => tx.query(text, [1]));
  assert.equal(await codeOf(read()), '42P01');
  assert.equal(await codeOf(read()), '42P01');
  await db.query('create table later (id int)');
  assert.deepEqual(await read(), []);
  assert.deepEqual(await read(), []);
  assert.deepEqual(await db.query(text, [1]), []);
});

test('a text that was prepared with a begin, and failed only as it ran, is not prepared twice', async () => {
  const divide = (by: number) => db.transaction((tx) => tx.query<{ ratio: number }>('select 6 / $1::int as ratio', [by]));
  assert.equal(await codeOf(divide(0)), '22012');
  assert.deepEqual(await divide(2), [{ ratio: 3 }]);
});

describe('a commit that fails takes all that was sent with it', () => {
  before(async () => {
    await db.query('create table links (id int primary key, other int references notes deferrable initially deferred)');
  });
  const link = (tx: Database) => tx.conclude('insert into links (id, other) values ($1, $2)', [1, 2]);

  test('a statement alone', async () => {
    assert.equal(await codeOf(db.transaction(link, 'nothing')), '23503');
    assert.deepEqual(await db.query('select from links'), []);
  });

  test('a statement with another ahead of it', async () => {
    const both = (tx: Database) => {
      tx.startWith([add, [1]]);
      return link(tx);
    };
    // Prepared by the second time.
    for (let time = 0; time < 2; time++) assert.equal(await codeOf(db.transaction(both, 'nothing')), '23503');
    assert.deepEqual([await idsNow(), await db.query('select from links')], [[], []]);
  });
});

test('several statements that start a transaction go out with the next one in their order, and each fails it', async () => {
  const three = (first: number) => async (tx: Database) => {
    const ahead = [tx.startWith([add, [first]]), tx.startWith(['insert into notes (id) select max(id) + 1 from notes where $1', [true]])];
    await tx.query('insert into notes (id) select max(id) + 10 from notes where $1', [true]);
    assert.deepEqual(await Promise.all(ahead), [[], []]);
  };
  await db.query(add, [5]);
  assert.equal(await codeOf(db.transaction(three(5))), '23505');
  assert.deepEqual(await idsNow(), [5]);
  assert.equal(await sentDuring(() => db.transaction(three(7))), 2);
  assert.deepEqual(await idsNow(), [5, 7, 8, 18]);
});
