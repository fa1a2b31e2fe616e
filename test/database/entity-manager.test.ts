/** MikroORM's entity manager on the connections and transactions of a Database. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { sql, verifiedVersion } from '../../src/database/entity-manager.js';
import { overtaken, pgError } from '../../src/database/failures.js';
import { type Observer, setObserver } from '../../src/observer.js';
import { packageRoot } from '../../src/root.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

@Entity({ tableName: 'parcels' })
class Parcel {
  @PrimaryKey({ type: 'integer' }) id!: number;
  @Property({ type: 'text' }) label!: string;
  @Property({ type: 'array', columnType: 'text[]' }) tags: string[] = [];
  @Property({ type: 'json', columnType: 'jsonb' }) body: object = {};
  @Property({ type: 'blob', columnType: 'bytea', nullable: true }) seal: Buffer | null = null;
  @Property({ type: 'string', columnType: 'timestamptz', nullable: true }) sentAt: string | null =
    null;
}

let database: TestDatabase;
let orm: MikroORM;
let db: Database;

beforeAll(async () => {
  database = await createDatabase('template1');
  orm = await connect(database.url, { poolSize: 4, entities: [Parcel] });
  db = new Database(orm.em);
  await db.query(`create table parcels (id int primary key,
    label text not null constraint parcels_label_key unique deferrable, tags text[], body jsonb,
    seal bytea, sent_at timestamptz)`);
});

afterAll(async () => {
  setObserver(undefined);
  await orm?.close();
  await database?.drop();
});

beforeEach(async () => {
  await db.query('delete from parcels');
  await db.em.insertMany(Parcel, [
    { id: 1, label: 'one', tags: [], body: {} },
    { id: 2, label: 'two', tags: [], body: {} },
  ]);
});

const labels = async (of: Database = db) =>
  (await of.query<{ label: string }>('select label from parcels order by id')).map(
    ({ label }) => label,
  );

/** The texts of the statements that `work` sends. */
async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const statement: Observer['statement'] = (sql, send) => {
    texts.push(sql);
    return send();
  };
  setObserver({ statement } as Observer);
  try {
    await work();
  } finally {
    setObserver(undefined);
  }
  return texts;
}

test('the installed version is the one that was verified', () => {
  for (const name of ['core', 'sql', 'postgresql']) {
    const file = join(packageRoot, 'node_modules/@mikro-orm', name, 'package.json');
    expect(JSON.parse(readFileSync(file, 'utf8')).version).toBe(verifiedVersion);
  }
});

test('reads and writes every kind of value', async () => {
  const parcel = {
    id: 3,
    label: `'quoted' \\ $1 ? "x"`,
    tags: ['a,b', '"c"', ''],
    body: { nested: ['?', null] },
    seal: Buffer.from([0, 255]),
    sentAt: '2026-11-21T03:47:54.120001Z',
  };
  await db.em.insert(Parcel, parcel);
  const found = await db.em.findOne(Parcel, { label: parcel.label, seal: parcel.seal });
  expect({ ...found }).toEqual(parcel);
  expect(await db.em.findOne(Parcel, { sentAt: { $gt: sql`now()` } })).toBeNull();
});

test('counts the rows that an update and a delete change', async () => {
  expect(await db.em.nativeUpdate(Parcel, { id: { $in: [1, 2, 9] } }, { tags: ['x'] })).toBe(2);
  expect(await db.em.nativeUpdate(Parcel, { id: 9 }, { tags: [] })).toBe(0);
  expect(await db.em.nativeDelete(Parcel, { id: { $gt: 1 } })).toBe(1);
  expect(await db.em.nativeDelete(Parcel, {})).toBe(1);
});

test('values are parameters and do not stand in the text of a statement', async () => {
  const texts = await sentBy(async () => {
    await db.em.insert(Parcel, { id: 4, label: 'secret', tags: [], body: {} });
    await db.em.find(Parcel, { label: { $in: ['secret', 'other'] } });
    await db.em.nativeUpdate(Parcel, { label: 'secret' }, { sentAt: sql`now()` });
  });
  expect(texts).toHaveLength(3);
  expect(texts.join()).not.toMatch(/secret|other/);
  expect(texts.join()).toContain('$1');
});

test('a query builder sees the transaction, returns rows and ignores conflicts', async () => {
  const undone = db.transaction(async (tx) => {
    const { em } = tx;
    await tx.query(`insert into parcels (id, label) values (5, 'five')`);
    const changed = await em
      .createQueryBuilder(Parcel)
      .update({ tags: ['x'] })
      .where({ label: 'five' })
      .returning(['id', 'sentAt'])
      .execute('all');
    expect(changed).toEqual([{ id: 5, sentAt: null }]);
    expect(await em.nativeDelete(Parcel, { id: 5 })).toBe(1);
    const builder = em
      .createQueryBuilder(Parcel)
      .insert({ id: 1, label: 'again', tags: [], body: {} });
    const { affectedRows } = await builder.onConflict('id').ignore().execute('run');
    expect(affectedRows).toBe(0);
    expect(await em.count(Parcel)).toBe(2);
    await em.nativeDelete(Parcel, { id: 1 });
    expect(await labels(tx)).toEqual(['two']);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await labels()).toEqual(['one', 'two']);
});

test('transactional commits its entities, and rolls back when the work rejects', async () => {
  await db.em.transactional(async (em) => {
    const one = await em.findOneOrFail(Parcel, { id: 1 }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    one.label = 'first';
  });
  expect(await labels()).toEqual(['first', 'two']);
  const undone = db.em.transactional(async (em) => {
    await em.nativeDelete(Parcel, {});
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await labels()).toEqual(['first', 'two']);
});

test('transactional joins a transaction that is running', async () => {
  const undone = db.transaction(async (tx) => {
    await tx.em.transactional((em) => em.nativeDelete(Parcel, { id: 1 }));
    expect(await labels(tx)).toEqual(['two']);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await labels()).toEqual(['one', 'two']);
});

test('transactional repeats work that another commit overtook, with new entities', async () => {
  let attempts = 0;
  await db.em.transactional(async (em) => {
    const two = await em.findOneOrFail(Parcel, { id: 2 });
    expect(two.label).toBe('two');
    two.label = 'second';
    attempts++;
    if (attempts === 1) throw overtaken(new Error('for the test'));
  });
  expect(attempts).toBe(2);
  expect(await labels()).toEqual(['one', 'second']);
});

test('a flush outside of a transaction is one transaction', async () => {
  const { em } = db;
  em.persist(em.create(Parcel, { id: 6, label: 'six', tags: [], body: {} }));
  em.persist(em.create(Parcel, { id: 7, label: 'one', tags: [], body: {} }));
  await expect(em.flush()).rejects.toMatchObject({ constraint: 'parcels_label_key' });
  expect(await labels()).toEqual(['one', 'two']);
});

test('errors are those of PostgreSQL', async () => {
  const error = await db.em
    .insert(Parcel, { id: 8, label: 'one', tags: [], body: {} })
    .catch((caught) => caught);
  expect(pgError(error)).toMatchObject({ code: '23505', constraint: 'parcels_label_key' });
});

test('uses the share of the owner of a request', async () => {
  const owned = db.ownedBy({ organization: 'an organization', caller: 'a caller' });
  let running = 0;
  let most = 0;
  const slow = async () => {
    await owned.em.transactional(async (em) => {
      await em.count(Parcel);
      most = Math.max(most, ++running);
      await em.query('select pg_sleep(0.02)');
      running--;
    });
  };
  await Promise.all(Array.from({ length: 8 }, slow));
  expect(most).toBe(2);
});

test('counts its statements', async () => {
  const counted = db.counted();
  await counted.em.find(Parcel, {});
  await counted.em.transactional((em) => em.nativeDelete(Parcel, { id: 1 }));
  expect(counted.statements).toBe(2);
});

test('keeps no entity without a transaction', async () => {
  await db.em.find(Parcel, {});
  await db.query(`update parcels set label = 'changed' where id = 1`);
  expect(await db.em.findOne(Parcel, { id: 1 })).toMatchObject({ label: 'changed' });
});
