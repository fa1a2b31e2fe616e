/**
 * What a list over several organizations shows while a write is under way: step by step, each
 * transaction held open by the test.
 */
import type { Database } from '../../src/database/connection.js';
import { type Change, recordChanges } from '../../src/database/record-changes.js';
import { lockClock } from '../../src/database/version-clock.js';
import { certifications } from '../../src/graph/certifications/reads.js';
import type { SyncArgs } from '../../src/graph/reads/connection.js';
import { type List, pageStatement } from '../../src/graph/reads/keyset.js';
import type { Selection } from '../../src/graph/reads/selection.js';
import { startApp } from '../support/app.js';
import { marker, newCertification, newCertificationType, nobody } from '../support/changes.js';
import {
  bothEmail,
  catalogueId,
  harborId,
  managerEmail,
  memberId,
  skyline,
  skylineId,
} from '../support/names.js';
import { readerOf } from '../support/walk.js';

const app = await startApp();
const read = readerOf(app, '/v1/certifications', bothEmail);
const inSkyline = () => newCertification(skylineId, memberId(bothEmail));
const inHarbor = () => newCertification(harborId, memberId(bothEmail, 'harbor-fiber'));

interface OpenWrite {
  readonly ids: unknown[];
  readonly end: (how?: 'commit' | 'rollback' | 'kill') => Promise<void>;
}

/** What a failed test left open. */
const open: (() => void)[] = [];
afterEach(() => {
  for (const end of open.splice(0)) end();
});

/** Writes, and stays in the transaction until told, or until the test is over. */
async function openWrite(...changes: Change[]): Promise<OpenWrite> {
  const [written, told] = [Promise.withResolvers<Database>(), Promise.withResolvers<void>()];
  const ended = app.db.transaction(async (tx) => {
    await recordChanges(tx, nobody, changes);
    written.resolve(tx);
    await told.promise;
  });
  ended.catch(written.reject);
  open.push(told.resolve);
  const tx = await written.promise;
  return {
    ids: changes.map(({ key }) => key.id),
    async end(how = 'commit') {
      if (how === 'kill')
        await tx.query('select pg_terminate_backend(pg_backend_pid())').catch(() => {});
      if (how === 'rollback') told.reject(new Error('rolled back'));
      else told.resolve();
      await (how === 'commit' ? ended : expect(ended).rejects.toThrow());
    },
  };
}

const write1 = async (change: Change) => {
  await app.db.transaction((tx) => recordChanges(tx, nobody, [change]));
  return change.key.id;
};

/** A position after all that is there, and the ids that came since. */
async function mark() {
  const since = (await read({ limit: 200 })).data.at(-1)?.updated_at ?? '';
  return async () =>
    (await read({ limit: 200, updated_after: since })).data.map(({ id }) => id as unknown);
}

describe('GET /v1/certifications of a member of two organizations', () => {
  test('shows a finished write in the very next list', async () => {
    const news = await mark();
    const first = await write1(inSkyline());
    expect(await news()).toStrictEqual([first]);
    const second = await write1(inHarbor());
    expect(await news()).toStrictEqual([first, second]);
  });

  test('shows a finished write while a transaction is open that has nothing to do with it', async () => {
    const news = await mark();
    const isDone = Promise.withResolvers<void>();
    open.push(isDone.resolve);
    const stranger = Promise.withResolvers<void>();
    const ended = app.db.transaction(async (tx) => {
      await tx.query('select pg_current_xact_id()');
      stranger.resolve();
      await isDone.promise;
    });
    await stranger.promise;
    const finished = [await write1(inSkyline()), await write1(inHarbor())];
    expect(await news()).toStrictEqual(finished);
    isDone.resolve();
    await ended;
  });

  for (const how of ['commit', 'rollback', 'kill'] as const) {
    test(`holds a newer write back while an older one is open elsewhere, and shows it after its ${how}`, async () => {
      const news = await mark();
      const before = await write1(inHarbor());
      const older = await openWrite(inHarbor(), inHarbor());
      const newer = await write1(inSkyline());
      expect(await news()).toStrictEqual([before]); // up to what harbor had before
      await older.end(how);
      expect(await news()).toStrictEqual([before, ...(how === 'commit' ? older.ids : []), newer]);
    });
  }

  test('waits for nobody: a page is read while writes are open everywhere', async () => {
    const news = await mark();
    const writes = [await openWrite(inSkyline()), await openWrite(inHarbor())];
    expect(await news()).toEqual([]);
    for (const each of writes) await each.end();
    expect(await news()).toStrictEqual(writes.flatMap(({ ids }) => ids));
  });

  test('is not held back by a write that is open in an organization that it does not show', async () => {
    const news = await mark();
    const elsewhere = await openWrite(newCertificationType(catalogueId));
    const own = await write1(inSkyline());
    expect(await news()).toStrictEqual([own]);
    await elsewhere.end();
  });
});

test('a write that the snapshot lacks is held back, also after a later transaction locked the clock and was rolled back', async () => {
  const list: List = {
    name: 'test',
    projection: certifications,
    branches: [skylineId, harborId].map((id) => ({
      equals: { 'c.organization_id': id, 'c.external_source': marker },
    })),
    clocks: { organizationIds: [skylineId, harborId] },
  };
  const { text, values } = pageStatement(
    list,
    new Map([['id', new Map()]]) as unknown as Selection,
    { first: 200 } as SyncArgs,
    undefined,
  );
  const shown = async (db: Database) =>
    (await db.query<{ id: string; updatedAt: string }>(text, values)).map(
      ({ id }) => id as unknown,
    );
  const before = await write1(inHarbor());
  const older = await openWrite(inHarbor());
  const newer = await write1(inSkyline());
  await app.db.transaction(async (reader) => {
    await reader.query('set transaction isolation level repeatable read');
    await reader.query('select 1 from organizations');
    await older.end();
    const locked = app.db.transaction(async (tx) => {
      await tx.query(lockClock, [harborId]);
      throw new Error('rolled back');
    });
    await expect(locked).rejects.toThrow('rolled back');
    const ids = await shown(reader);
    expect([ids.includes(before), ids.includes(newer)]).toStrictEqual([true, false]);
  });
  const ids = await shown(app.db);
  expect([...older.ids, newer].every((id) => ids.includes(id))).toBe(true);
});

test('readers in a crowd keep no writer waiting: the clock that all of them look at is ticked in time', async () => {
  const types = readerOf(app, `${skyline}/certification-types`, managerEmail);
  let isOver = false;
  let pages = 0;
  const readers = Array.from({ length: 16 }, async () => {
    while (!isOver) {
      await types({ limit: 1 });
      pages++;
    }
  });
  const waits: number[] = [];
  for (let count = 0; count < 60; count++) {
    const started = performance.now();
    await write1(newCertificationType(catalogueId));
    waits.push(performance.now() - started);
  }
  isOver = true;
  await Promise.all(readers);
  waits.sort((a, b) => a - b);
  console.info(
    `a write beside 16 readers (${pages} pages): p50 ${waits[30]?.toFixed(1)} ms, max ${waits.at(-1)?.toFixed(1)} ms`,
  );
  expect(waits.at(-1) ?? 0).toBeLessThan(2000);
});
