/**
 * Why lists over several organizations ask each node for its own writes in progress: the
 * transaction ids of a node mean nothing to another.
 */
import { startApp } from '../support/app.js';
import { marker, newCertification } from '../support/changes.js';
import { bothEmail, harborId, memberId, skylineId } from '../support/names.js';
import { byUpdatedAfter, Race, type Writer } from '../support/race.js';
import { type Item, type Read, readerOf } from '../support/walk.js';

const app = await startApp();
const ids = [skylineId, harborId];

interface Clock {
  readonly at: string;
  readonly xid: string;
}

/** The rule of a single PostgreSQL, where all clocks and rows have the same transaction ids. */
async function horizonOfOne(): Promise<string> {
  const clocks = await app.db.query<Clock>(
    'select ticked_at as at, xmax::text as xid from organization_clocks where organization_id = any($1) and xmax <> xmin',
    [ids],
  );
  const open: string[] = [];
  for (const { at, xid } of clocks) {
    const [status] = await app.db
      .query<{ is: string }>('select pg_xact_status($1::text::xid8) as is', [xid])
      // An id that the coordinator has not reached is no transaction that it knows.
      .catch(() => []);
    if (status?.is === 'in progress') open.push(at);
  }
  return open.sort()[0] ?? 'infinity';
}

const ofOne: Read = async ({ limit, updated_after }) => ({
  data: await app.db.query<Item>(
    `select id, updated_at from certifications where organization_id = any($1) and external_source = '${marker}'
       and updated_at > $2 and updated_at <= $3 order by updated_at, id limit $4`,
    [ids, updated_after, await horizonOfOne(), limit],
  ),
  page: { has_more: false, next_cursor: null },
});

const writers: Writer[] = Array.from({ length: 8 }, (_, index) => ({
  transactions: 25,
  next: () => [
    index % 2 === 0
      ? newCertification(skylineId, memberId(bothEmail))
      : newCertification(harborId, memberId(bothEmail, 'harbor-fiber')),
  ],
}));

const race = (read: Read) =>
  Race.run(
    app.url,
    byUpdatedAfter(read, 200),
    writers,
    `select id, updated_at as "updatedAt" from certifications where external_source = '${marker}'`,
  );

test('the two organizations of the test are on different nodes', async () => {
  const nodes = await app.db.query(
    `select distinct nodeport from citus_shards s
     where s.shardid in (select get_shard_id_for_distribution_column('certifications', id) from unnest($1::uuid[]) id)`,
    [ids],
  );
  expect(nodes).toHaveLength(2);
});

test('a client of GET /v1/certifications misses no record', async () => {
  const { written, missed } = await race(readerOf(app, '/v1/certifications', bothEmail));
  expect(written).toBeGreaterThanOrEqual(200);
  expect(missed).toBe(0);
});

test('planted: by the rule of a single PostgreSQL, it misses some', async () => {
  let missed = 0;
  for (let attempt = 0; attempt < 5 && missed === 0; attempt++) ({ missed } = await race(ofOne));
  expect(missed).toBeGreaterThan(0);
});
