/** Shards move to another node while organizations write: nothing is lost or missed. */
import { startApp } from '../support/app.js';
import { marker, newCertification } from '../support/changes.js';
import { bothEmail, harborId, memberId, skylineId } from '../support/names.js';
import { byUpdatedAfter, Race, type Writer } from '../support/race.js';
import { readerOf } from '../support/walk.js';

const app = await startApp();

interface Placement {
  readonly shard: string;
  readonly port: number;
}

const placements = () =>
  app.db.query<Placement>(
    `select shardid::text as shard, nodeport as port from citus_shards
     where table_name = 'organization_clocks'::regclass order by 1`,
  );

test('a client that follows a list misses no record of writers beside moving shards', async () => {
  const writers: Writer[] = Array.from({ length: 4 }, (_, index) => ({
    transactions: 150,
    next: () => [
      index % 2 === 0
        ? newCertification(skylineId, memberId(bothEmail))
        : newCertification(harborId, memberId(bothEmail, 'harbor-fiber')),
    ],
  }));
  const before = await placements();
  const ports = [...new Set(before.map(({ port }) => port))];
  const move = async () => {
    for (const { shard, port } of before)
      await app.db.query(
        `select citus_move_shard_placement(${shard}, '127.0.0.1', ${port}, '127.0.0.1', ${ports.find((other) => other !== port)}, 'force_logical')`,
      );
  };
  const { written, missed, invented } = await Race.run(
    app.url,
    byUpdatedAfter(readerOf(app, '/v1/certifications', bothEmail), 200),
    writers,
    `select id, updated_at as "updatedAt" from certifications where external_source = '${marker}'`,
    { beside: move },
  );
  expect({ written, missed, invented }).toStrictEqual({ written: 600, missed: 0, invented: 0 });
  const after = await placements();
  expect(after.map(({ port }) => port)).not.toStrictEqual(before.map(({ port }) => port));
});
