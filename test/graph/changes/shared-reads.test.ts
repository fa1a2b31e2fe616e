/**
 * Followers of one organization share their reads, and no one gets what another may read. Streams
 * have a limit per process.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../../src/database/connection.js';
import {
  type Change as RecordedChange,
  recordChanges,
} from '../../../src/database/record-changes.js';
import type { PageRequest } from '../../../src/graph/changes/pages.js';
import { SharedReads } from '../../../src/graph/changes/shared-reads.js';
import { openApp, startApp } from '../../support/app.js';
import { newCertification, newCertificationType, nobody } from '../../support/changes.js';
import {
  adminEmail,
  bothEmail,
  climberEmail,
  harborId,
  managerEmail,
  memberId,
  skylineId,
} from '../../support/names.js';
import { openStream, type Stream } from '../../support/stream.js';

const app = await startApp();
const harborAdminEmail = 'admin@harbor.example';
const subscription = (organization: string) => ({
  query: `subscription { changes(organizationId: "${organization}") { nodes { resourceId record { ... on Certification { id issuerName } } } } }`,
});

interface Change {
  readonly resourceId: string;
  readonly record: { readonly id?: string } | null;
}

/** The next page with changes. */
async function next(stream: Stream): Promise<readonly Change[]> {
  for (;;) {
    const event = await stream.next();
    const nodes: readonly Change[] = event?.data?.data?.changes?.nodes ?? [];
    if (!event || nodes.length > 0) return nodes;
  }
}

/** Counts the statements that its queries send. */
function counting(db: Database): { readonly db: Database; readonly sent: string[] } {
  const sent: string[] = [];
  const query: Database['query'] = (text, ...rest) => {
    sent.push(text);
    return db.query(text, ...rest);
  };
  return { db: { query } as unknown as Database, sent };
}

/** Later than the past of the demo data. */
const started = new Date().toISOString();

const page = (memberOrManager: string | null): PageRequest => ({
  organizationId: skylineId,
  since: started,
  subjects: ['Certification'],
  memberId: memberOrManager,
  scanned: 2000,
  limit: 51,
});

describe('reads that followers ask for in one turn', () => {
  it('take one statement for all managers and one for all members, whatever their number', async () => {
    const own = newCertification(skylineId, memberId(climberEmail));
    const others = newCertification(skylineId, memberId(managerEmail));
    await app.db.transaction((tx) => recordChanges(tx, nobody, [own, others]));
    const { db, sent } = counting(app.db);
    const reads = new SharedReads(() => db);
    const [climber, both] = [memberId(climberEmail), memberId(bothEmail)];
    const viewers = [null, climber, both, null, climber];
    const pages = await Promise.all(
      Array.from({ length: 200 }, (_, index) => reads.page(page(viewers[index % 5] ?? null))),
    );
    expect(sent).toHaveLength(2);
    for (const [index, rows] of pages.entries()) {
      const ids = rows.map(({ resourceId }) => resourceId);
      const viewer = viewers[index % 5] ?? null;
      expect([ids.includes(own.key.id as string), ids.includes(others.key.id as string)]).toEqual(
        viewer === null ? [true, true] : [viewer === climber, false],
      );
    }
  });

  it('check each record for each viewer in one statement', async () => {
    const [own, others] = [climberEmail, managerEmail].map((email) =>
      newCertification(skylineId, memberId(email)),
    ) as [RecordedChange, RecordedChange];
    await app.db.transaction((tx) => recordChanges(tx, nobody, [own, others]));
    const ids = [own, others].map(({ key }) => String(key.id));
    const { db, sent } = counting(app.db);
    const reads = new SharedReads(() => db);
    const request = (viewer: string | null, organizationId = skylineId) =>
      reads.records({
        organizationId,
        type: 'certification',
        list: 'c.id',
        from: 'certifications c',
        ids,
        memberId: viewer,
      });
    const found = await Promise.all([
      request(null),
      request(memberId(climberEmail)),
      request(null),
    ]);
    expect(sent).toHaveLength(1);
    const foundIds = found.map((rows) => rows.map(({ resourceId }) => resourceId).sort());
    expect(foundIds).toStrictEqual([ids.toSorted(), [own.key.id], ids.toSorted()]);
    expect(await request(null, harborId)).toEqual([]);
  });

  it('begin after they were asked for: a later request never shares an earlier read', async () => {
    const { db, sent } = counting(app.db);
    const reads = new SharedReads(() => db);
    const first = reads.page(page(null));
    await delay(0);
    await Promise.all([first, reads.page(page(null))]);
    expect(sent).toHaveLength(2);
  });
});

it('each follower gets what they may read, while strangers and members follow at once', async () => {
  const opened = async (email: string, organization: string) =>
    openStream(app.base, await app.token(email), subscription(organization));
  const [manager, admin, climber, both, neighbour] = await Promise.all([
    opened(managerEmail, skylineId),
    opened(adminEmail, skylineId),
    opened(climberEmail, skylineId),
    opened(bothEmail, harborId),
    opened(harborAdminEmail, harborId),
  ]);
  const intruder = await opened(harborAdminEmail, skylineId);
  const refused = await intruder.next();
  expect(refused?.data.errors[0].extensions.code).toBe('FORBIDDEN');
  for (const stream of [manager, admin, climber, both, neighbour]) await stream.next();

  const own = newCertification(skylineId, memberId(climberEmail));
  const others = newCertification(skylineId, memberId(managerEmail));
  const type = newCertificationType(skylineId);
  const inHarbor = newCertification(harborId, memberId(harborAdminEmail, 'harbor-fiber'));
  await app.db.transaction((tx) => recordChanges(tx, nobody, [own, others, type]));
  await app.db.transaction((tx) => recordChanges(tx, nobody, [inHarbor]));
  const ids = (changes: readonly Change[]) => changes.map(({ resourceId }) => resourceId);
  const all = [own, others, type].map(({ key }) => key.id);
  for (const stream of [manager, admin]) {
    const changes = await next(stream);
    expect(ids(changes)).toStrictEqual(all);
    expect(changes.map(({ record }) => record?.id)).toStrictEqual([
      own.key.id,
      others.key.id,
      undefined,
    ]);
  }
  const seen = await next(climber);
  expect(ids(seen)).toStrictEqual([own.key.id, type.key.id]);
  expect(seen[0]?.record?.id).toBe(own.key.id);
  expect(ids(await next(neighbour))).toStrictEqual([inHarbor.key.id]);

  // A plain member of harbor gets nothing of it: the next change that they see is a type.
  const harborType = newCertificationType(harborId);
  await app.db.transaction((tx) => recordChanges(tx, nobody, [harborType]));
  expect(ids(await next(both))).toStrictEqual([harborType.key.id]);
  for (const stream of [manager, admin, climber, both, neighbour]) stream.stop();
});

it('a process has a limit of streams, and an organization half of it', async () => {
  await using small = await openApp({ STREAM_LIMIT: '4' });
  const opened = async (email: string, organization: string) =>
    openStream(small.base, await small.token(email), subscription(organization));
  const ours = [await opened(managerEmail, skylineId), await opened(climberEmail, skylineId)];
  expect(ours.map(({ status }) => status)).toEqual([200, 200]);
  const third = await opened(adminEmail, skylineId);
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '10']);
  const harbor = await opened(harborAdminEmail, harborId);
  expect(harbor.status).toBe(200);
  ours[0]?.stop();
  await delay(300);
  const again = await opened(adminEmail, skylineId);
  expect(again.status).toBe(200);
  for (const stream of [...ours, again, harbor]) stream.stop();
});
