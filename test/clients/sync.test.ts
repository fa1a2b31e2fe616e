/**
 * Pages, and following a list: broken off at any point and begun again, the copy has every record
 * as it is.
 */
import {
  type Batch,
  type Certification,
  follow,
  pages,
  records,
} from '../../clients/typescript/src/index.js';
import { recordChanges } from '../../src/database/record-changes.js';
import { startApp } from '../support/app.js';
import { newCertification, nobody, touch } from '../support/changes.js';
import { bothEmail, climberEmail, managerEmail, memberId, skylineId } from '../support/names.js';
import { found } from '../support/tenants.js';
import { collect, lanyardOf } from './lanyard.js';

const app = await startApp();
const lanyard = lanyardOf(app, managerEmail);
const list = '/v1/organizations/{organization_id}/certifications';
const input = { params: { path: { organization_id: skylineId } } };
const inSmallPages = { params: { ...input.params, query: { limit: 20 } } };

const stored = async () => {
  const rows = await app.db.query<{ id: string; updatedAt: string }>(
    'select id, updated_at as "updatedAt" from certifications where organization_id = $1 order by updated_at, id',
    [skylineId],
  );
  return rows.map(({ id, updatedAt }) => `${id} ${updatedAt}`);
};
const versionOf = ({ id, updated_at }: Certification) => `${id} ${updated_at}`;

/** A copy whose process can end at any batch: before its transaction, or after it. */
class Copy {
  readonly rows = new Map<string, Certification>();
  position: string | undefined;

  apply({ records, position }: Batch<Certification>): void {
    for (const record of records) this.rows.set(record.id, record);
    this.position = position;
  }

  get versions(): string[] {
    return [...this.rows.values()].map(versionOf).sort();
  }
}

/** Follows to the end; `kill` says of each batch whether the process ends at it. */
async function run(
  copy: Copy,
  kill: (batch: number) => 'before' | 'after' | undefined,
  apply = (batch: Batch<Certification>) => copy.apply(batch),
) {
  let number = 0;
  for (;;) {
    let isKilled = false;
    for await (const batch of follow(lanyard, list, { ...inSmallPages, position: copy.position })) {
      const end = kill(number++);
      if (end !== 'before') apply(batch);
      if (end === undefined) continue;
      isKilled = true;
      break;
    }
    if (!isKilled) return;
    await change();
  }
}

/** A new record and a change of an old one, as others make them meanwhile. */
async function change(): Promise<void> {
  const [oldest] = await app.db.query<{ id: string }>(
    'select id from certifications where organization_id = $1 order by updated_at limit 1',
    [skylineId],
  );
  const made = newCertification(skylineId, memberId(climberEmail));
  const changed = touch({ ...made, key: { organizationId: skylineId, id: oldest?.id ?? '' } });
  await app.db.transaction((tx) => recordChanges(tx, nobody, [made, changed]));
}

test('pages and records walk to the end of a list', async () => {
  const expected = await stored();
  const sizes: number[] = [];
  for await (const { data } of pages(lanyard, list, {
    params: { ...input.params, query: { limit: 30 } },
  }))
    sizes.push(data.length);
  expect(sizes).toStrictEqual([
    ...Array(Math.floor(expected.length / 30)).fill(30),
    ...(expected.length % 30 ? [expected.length % 30] : []),
  ]);
  const walked = await collect(
    records(lanyard, list, { params: { ...input.params, query: { limit: 7 } } }),
  );
  expect(walked.map(versionOf)).toStrictEqual(expected);
  for await (const { id } of records(lanyard, '/v1/organizations')) expect(id).toBe(skylineId);
});

test('killed before or after each batch in turn, the copy ends with every record as it is', async () => {
  const copy = new Copy();
  await run(
    copy,
    (batch) =>
      [undefined, 'before', 'after', undefined, 'before', 'before', 'after'][batch] as
        | 'before'
        | 'after'
        | undefined,
  );
  expect(copy.versions).toStrictEqual((await stored()).sort());
});

test('planted: killed between position and records, saved in that order, it misses some', async () => {
  const copy = new Copy();
  let number = 0;
  const applyHalf = (batch: Batch<Certification>) => {
    if (number++ === 1) copy.position = batch.position;
    else copy.apply(batch);
  };
  await run(copy, (batch) => (batch === 1 ? 'after' : undefined), applyHalf);
  expect(copy.rows.size).toBe((await stored()).length - 20);
});

test('without news a batch is empty and current; then it has the news alone', async () => {
  const copy = new Copy();
  await run(copy, () => undefined);
  const quiet = await collect(follow(lanyard, list, { ...input, position: copy.position }));
  expect(quiet).toStrictEqual([{ records: [], position: copy.position, isCurrent: true }]);
  await change();
  const [news, ...more] = await collect(
    follow(lanyard, list, { ...input, position: copy.position }),
  );
  expect([news?.records.length, news?.isCurrent, more.length]).toEqual([2, true, 0]);
});

test('it keeps following, until the signal says stop', async () => {
  const controller = new AbortController();
  let batches = 0;
  const following = async () => {
    for await (const batch of follow(lanyard, list, {
      ...input,
      every: 20,
      signal: controller.signal,
    })) {
      if (batch.isCurrent && ++batches === 3) controller.abort();
    }
  };
  await expect(following).rejects.toMatchObject({ name: 'AbortError' });
  expect(batches).toBe(3);
});

test('a cursor that the server does not know any more: the walk begins anew where it began', async () => {
  let position = '';
  for await (const batch of follow(lanyard, list, inSmallPages)) {
    position = batch.position;
    break;
  }
  const unknown = JSON.stringify({ ...JSON.parse(position), cursor: 'of-an-older-server' });
  const all = await collect(follow(lanyard, list, { ...inSmallPages, position: unknown }));
  expect(all.flatMap((batch) => batch.records).map(versionOf)).toStrictEqual(await stored());
});

test('who may see less or more than at the position is told to begin anew', async () => {
  const both = lanyardOf(app, bothEmail);
  const copy = new Copy();
  for await (const batch of follow(both, list, input)) copy.apply(batch);
  const own = new Copy();
  for await (const batch of follow(both, '/v1/certifications', {})) own.apply(batch);
  const goOn = (path: typeof list | '/v1/certifications', position?: string) =>
    collect(
      path === list ? follow(both, path, { ...input, position }) : follow(both, path, { position }),
    );

  await app.db.query(`update organization_members set role = 'member' where id = $1`, [
    memberId(bothEmail),
  ]);
  await expect(goOn(list, copy.position)).rejects.toMatchObject({
    name: 'LanyardError',
    status: 410,
    code: 'resync_required',
  });
  const [least] = await goOn(list);
  expect(least && least.records.length < copy.rows.size).toBeTruthy();

  await app.db.query(`update organization_members set role = 'manager' where id = $1`, [
    memberId(bothEmail),
  ]);
  expect(await goOn(list, copy.position)).toHaveLength(1);
  expect(await goOn('/v1/certifications', own.position)).toHaveLength(1);
  await found(app.db, bothEmail);
  // Another organization is none of its business.
  expect(await goOn(list, copy.position)).toHaveLength(1);
  await expect(goOn('/v1/certifications', own.position)).rejects.toMatchObject({
    code: 'resync_required',
  });
});
