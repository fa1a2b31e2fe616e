/**
 * The promise of synchronisation, kept by a standby: who follows `updated_at` there, or now there
 * and now on the primary, misses nothing.
 */
import { randomInt } from 'node:crypto';
import pg from 'pg';
import { type Change, recordChanges } from '../../src/database/record-changes.js';
import { pageStatement } from '../../src/graph/reads/keyset.js';
import { sized } from '../faults/fleet.js';
import { startApp } from '../support/app.js';
import { marker, newCertification, nobody } from '../support/changes.js';
import { dataOf } from '../support/client.js';
import { bothEmail, harborId, memberId, skylineId } from '../support/names.js';
import { byCursor, byUpdatedAfter, Race, type Writer } from '../support/race.js';
import { pathWith, type Read } from '../support/walk.js';
import { startPair, until } from './servers.js';

const pair = await startPair();
const app = await startApp(
  { DATABASE_REPLICA_URL: pair.standby.url },
  { url: pair.primary.url, drop: pair.stop },
);

const places = [
  [skylineId, memberId(bothEmail)],
  [harborId, memberId(bothEmail, 'harbor-fiber')],
] as const;
const [inSkyline, inHarbor] = places.map(
  ([organization, member]) =>
    () =>
      newCertification(organization, member),
) as [() => Change, () => Change];

/** Waits until the standby has all that the primary flushed. */
async function caughtUp(): Promise<void> {
  const [row] = await app.db.query<{ lsn: string }>(
    'select pg_current_wal_flush_lsn()::text as lsn',
  );
  await until(async () => {
    const [progress] = await pair.standby.query(
      'select pg_last_wal_replay_lsn() >= $1::pg_lsn as "isThere"',
      [row?.lsn],
    );
    return progress?.isThere === true;
  });
}

test('a list over two organizations holds a commit back while its snapshot lacks an older one, be that committed meanwhile', async () => {
  const projection = {
    from: 'certifications c',
    columns: { id: 'c.id', updatedAt: 'c.updated_at' },
    always: ['updatedAt', 'id'],
  };
  const branches = places.map(([organizationId]) => ({
    equals: { 'c.organization_id': organizationId },
  }));
  const list = {
    name: 'test',
    projection,
    branches,
    clocks: { organizationIds: [skylineId, harborId] },
  };
  const [mark] = await app.db.query<{ now: string }>('select clock_timestamp() as now');
  const { text, values } = pageStatement(
    list,
    new Map(),
    { first: 200, updatedAfter: mark?.now ?? '' },
    undefined,
  );

  const [written, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const older = inSkyline();
  const open = app.db.transaction(async (tx) => {
    await recordChanges(tx, nobody, [older]);
    written.resolve();
    await told.promise;
  });
  await written.promise;
  const newer = inHarbor();
  await app.db.transaction((tx) => recordChanges(tx, nobody, [newer]));
  await caughtUp();

  const reader = new pg.Client(pair.standby.url);
  await reader.connect();
  try {
    const ids = async () =>
      (await reader.query<{ id: string }>(text, values)).rows.map(({ id }) => id);
    await reader.query('begin isolation level repeatable read');
    expect(await ids()).toEqual([]); // under way
    told.resolve();
    await open;
    await caughtUp();
    expect(await ids()).toEqual([]); // committed since the snapshot
    await reader.query('commit');
    expect(await ids()).toStrictEqual([older.key.id, newer.key.id]); // a snapshot that has both
  } finally {
    told.resolve();
    await reader.end();
  }
});

const readOn =
  (where: () => Record<string, string>): Read =>
  async (query) => {
    const path = pathWith(`/v1/certifications`, query);
    const response = await app.rest('GET', path, {
      token: await app.token(bothEmail),
      headers: where(),
    });
    dataOf(response);
    return response.body;
  };
const standby = () => ({ prefer: 'read=standby' });
const either = (): Record<string, string> => (randomInt(2) === 0 ? standby() : {});
const stored = `select id, updated_at as "updatedAt" from certifications where external_source = '${marker}'`;

for (const [name, follow] of [
  ['by cursor on the standby', byCursor(readOn(standby), 20)],
  ['by updated_after on the standby', byUpdatedAfter(readOn(standby), 20)],
  ['by updated_after on both in turn', byUpdatedAfter(readOn(either), 20)],
] as const) {
  test(`8 writers in two organizations hold transactions open: a client ${name} misses none`, async () => {
    const several = (make: () => Change) => () => Array.from({ length: 1 + randomInt(6) }, make);
    const transactions = sized(15, 40);
    const writers = Array.from(
      { length: 8 },
      (_, index): Writer => ({ transactions, next: several(index % 2 ? inSkyline : inHarbor) }),
    );
    const { written, missed, invented, visibleAfter } = await Race.run(
      app.url,
      follow,
      writers,
      stored,
    );
    console.info(`${name}: ${JSON.stringify({ written, missed, invented, visibleAfter })}`);
    expect(written).toBeGreaterThan(8 * 2 * transactions);
    expect({ missed, invented }).toStrictEqual({ missed: 0, invented: 0 });
  });
}
