/**
 * The primary dies while clients write and follow; its synchronous standby is promoted and takes
 * the primary's name. The application isn't started anew.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { startApp } from '../support/app.js';
import { marker } from '../support/changes.js';
import { clientOf, dataOf } from '../support/client.js';
import { graphOf } from '../support/graph.js';
import {
  climberEmail,
  managerEmail,
  memberId,
  skyline,
  skylineId,
  typeId,
} from '../support/names.js';
import { type Item, pathWith } from '../support/walk.js';
import { Relay } from './relay.js';
import { startPair, until } from './servers.js';

const pair = await startPair();
await pair.primary.query(`alter system set synchronous_standby_names = 'standby'`);
await pair.primary.query('select pg_reload_conf()');
const name = await Relay.to(pair.primary.url);
const drop = async () => {
  name.close();
  await pair.stop();
};
const url = pair.primary.urlOf('lanyard', name.port);
const app = await startApp(
  { DATABASE_URL: url, DATABASE_REPLICA_URL: pair.standby.url },
  { url, drop },
);
const manager = clientOf(app, managerEmail);
const certifications = `${skyline}/certifications?external_source=${marker}`;
const statuses = new Set<number>();

/**
 * Sends until it succeeds, as clients are told to: 503 is a reason to come back, anything else is
 * none.
 */
async function insist(send: () => ReturnType<typeof manager.get>) {
  for (;;) {
    const response = await send();
    statuses.add(response.status);
    if (response.status !== 503) return response;
    await delay(50);
  }
}

async function writeUntil(isOver: () => boolean, acknowledged: string[]): Promise<void> {
  const about = {
    organization_member_id: memberId(climberEmail),
    certification_type_id: typeId('rf-awareness'),
    external_source: marker,
  };
  while (!isOver()) {
    const key = randomUUID();
    const body = { ...about, external_id: key };
    const created = await insist(() =>
      manager.post(`${skyline}/certifications`, body, { 'idempotency-key': key }),
    );
    acknowledged.push(dataOf(created, 201).id);
  }
}

/** A copy as the documentation tells clients to keep it. */
class Copy {
  readonly versions = new Set<string>();
  private position = '2000-01-01T00:00:00Z';
  onStandby = 0;

  async catchUp(): Promise<void> {
    for (let cursor: string | null = '', since = this.position; cursor !== null; ) {
      const query = cursor
        ? { limit: 50, updated_after: since, cursor }
        : { limit: 50, updated_after: since };
      const response = await insist(() =>
        manager.get(pathWith(certifications, query), { prefer: 'read=standby' }),
      );
      if (response.headers.has('preference-applied')) this.onStandby++;
      for (const { id, updated_at } of dataOf(response) as Item[]) {
        this.versions.add(`${id} ${updated_at}`);
        if (updated_at > this.position) this.position = updated_at;
      }
      cursor = response.body.page.next_cursor;
      since ||= this.position;
    }
  }
}

test('nothing that was acknowledged is lost, nothing is made twice, and who follows misses nothing', async () => {
  await using cleanup = new AsyncDisposableStack();
  const { data } = graphOf(app, managerEmail);
  const changes = '{ nodes { resourceId } pageInfo { endCursor hasNextPage } }';
  const now = await data(`{ changes(organizationId: "${skylineId}") ${changes} }`);
  const acknowledged: string[] = [];
  const copy = new Copy();
  let isOver = false;
  cleanup.defer(() => {
    isOver = true;
  });
  const writing = Array.from({ length: 6 }, () => writeUntil(() => isOver, acknowledged));
  const following = (async () => {
    while (!isOver) await copy.catchUp();
  })();

  await until(async () => acknowledged.length > 100);
  const died = performance.now();
  pair.primary.crash();
  await pair.standby.query('select pg_promote()');
  name.lead(pair.standby.url);
  const before = acknowledged.length;
  await until(async () => acknowledged.length > before);
  const gap = performance.now() - died;
  await until(async () => acknowledged.length > before + 100);
  isOver = true;
  await Promise.all([...writing, following]);
  await copy.catchUp();

  const stored = await app.db.query<{ id: string; externalId: string; updatedAt: string }>(
    `select id, external_id as "externalId", updated_at as "updatedAt" from certifications where external_source = $1`,
    [marker],
  );
  const ids = new Set(stored.map(({ id }) => id));
  const missed = stored.filter(
    ({ id, updatedAt }) => !copy.versions.has(`${id} ${updatedAt}`),
  ).length;
  const lost = acknowledged.filter((id) => !ids.has(id)).length;
  console.info(
    `${acknowledged.length} acknowledged, ${stored.length} stored, ${lost} lost, ${missed} missed; ${copy.onStandby} pages of the standby; written again ${Math.round(gap)} ms after the crash`,
  );
  expect({ lost, missed }).toStrictEqual({ lost: 0, missed: 0 });
  expect(stored).toHaveLength(acknowledged.length);
  expect(copy.onStandby).toBeGreaterThan(0);
  expect([...statuses].sort()).toEqual([200, 201, 503]);

  const changed = new Set<string>();
  for (
    let { endCursor, hasNextPage } = { ...now.changes.pageInfo, hasNextPage: true };
    hasNextPage;
  ) {
    const page = await data(
      `{ changes(organizationId: "${skylineId}", after: "${endCursor}", first: 200) ${changes} }`,
    );
    for (const { resourceId } of page.changes.nodes) changed.add(resourceId);
    ({ endCursor, hasNextPage } = page.changes.pageInfo);
  }
  expect(changed).toStrictEqual(ids); // the feed of changes goes on from where it was
}, 110_000);

test('what was the standby is the primary now: no read calls it a standby', async () => {
  const response = await manager.get(certifications, { prefer: 'read=standby' });
  expect([response.status, response.headers.get('preference-applied')]).toEqual([200, null]);
});

test('a primary that lets nobody write (yet) is 503, for reads to go on and writes to come back', async () => {
  const setReadOnly = async (value: string) => {
    const client = new pg.Client(pair.standby.url);
    await client.connect();
    await client.query(`alter system set default_transaction_read_only = ${value}`);
    await client.query('select pg_reload_conf()');
    await client.end();
  };
  const write = () =>
    manager.post(`${skyline}/certification-types`, { title: `Type ${randomUUID()}` });
  await setReadOnly('on');
  await until(async () => (await write()).status === 503);
  expect((await manager.get(certifications)).status).toBe(200);
  await setReadOnly('off');
  await until(async () => (await write()).status === 201);
});
