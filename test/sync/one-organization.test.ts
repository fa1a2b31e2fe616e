/**
 * The promise of synchronisation within one organization: a client that follows `updated_at` misses
 * nothing.
 */
import { randomInt } from 'node:crypto';
import { type Change, recordChanges } from '../../src/database/record-changes.js';
import { sized } from '../faults/fleet.js';
import { startApp } from '../support/app.js';
import { marker, newCertification, nobody, touch } from '../support/changes.js';
import { clientOf, dataOf } from '../support/client.js';
import { ensure } from '../support/expect.js';
import {
  climberEmail,
  managerEmail,
  memberId,
  skyline,
  skylineId,
  typeId,
} from '../support/names.js';
import {
  type Accident,
  byCursor,
  byUpdatedAfter,
  naiveWrite,
  Race,
  type Writer,
} from '../support/race.js';
import { readerOf } from '../support/walk.js';

const app = await startApp();
const read = readerOf(app, `${skyline}/certifications?external_source=${marker}`, managerEmail);
const stored = `select id, updated_at as "updatedAt" from certifications where external_source = '${marker}'`;

const some = (most: number) =>
  Array.from({ length: 1 + randomInt(most) }, () =>
    newCertification(skylineId, memberId(climberEmail)),
  );
const writers = (count: number, transactions: number, rest: Partial<Writer> = {}): Writer[] =>
  Array.from({ length: count }, () => ({ transactions, next: () => some(12), ...rest }));

/** Real creates over HTTP. */
async function create(count: number): Promise<void> {
  const { post } = clientOf(app, managerEmail);
  const body = {
    organization_member_id: memberId(climberEmail),
    certification_type_id: typeId('rf-awareness'),
    external_source: marker,
  };
  while (count-- > 0) dataOf(await post(`${skyline}/certifications`, body), 201);
}

beforeEach(async () => {
  await app.db.query('truncate certifications cascade');
});

const nothing = { missed: 0, duplicated: 0, invented: 0 };
const report = (name: string, outcome: object) =>
  console.info(`one organization, ${name}: ${JSON.stringify(outcome)}`);

test('8 writers hold transactions open for up to 50 ms beside HTTP creates: a client of the greatest updated_at misses none', async () => {
  const [transactions, creates] = [sized(30, 100), sized(50, 150)];
  const beside = () => Promise.all([create(creates), create(creates)]);
  const outcome = await Race.run(
    app.url,
    byUpdatedAfter(read, 20),
    writers(8, transactions),
    stored,
    { beside },
  );
  report('by updated_after', outcome);
  const { written, missed, duplicated, invented } = outcome;
  ensure(written >= 8 * 5 * transactions + 2 * creates, `${written} written`);
  expect({ missed, duplicated, invented }).toStrictEqual(nothing);
});

test('planted: stamped with the time at the start of the transaction, it misses some', async () => {
  const outcome = await Race.run(app.url, byUpdatedAfter(read, 20), writers(8, 20), stored, {
    write: naiveWrite,
  });
  report('naive stamps', outcome);
  expect(outcome.missed).toBeGreaterThan(0);
});

test('writers roll back and are killed in mid-transaction: a client that walks by cursor misses none, and sees nothing of those', async () => {
  const accidents: Accident[] = ['rollback', 'kill', undefined, undefined, undefined, undefined];
  const accident = () => accidents[randomInt(accidents.length)];
  const outcome = await Race.run(app.url, byCursor(read, 20), writers(8, 20, { accident }), stored);
  report('by cursor, with accidents', outcome);
  const { written, missed, duplicated, invented } = outcome;
  expect(written).toBeGreaterThan(300);
  expect({ missed, duplicated, invented }).toStrictEqual(nothing);
});

test('records are changed again and again while the client follows: it ends with each as it last was', async () => {
  const records = Array.from({ length: 60 }, () =>
    newCertification(skylineId, memberId(climberEmail)),
  );
  await app.db.transaction((tx) => recordChanges(tx, nobody, records));
  const change = () =>
    [...new Set(Array.from({ length: 5 }, () => randomInt(records.length)))]
      .sort()
      .map((place) => touch(records[place] as Change));
  const updaters = Array.from(
    { length: 8 },
    (): Writer => ({ transactions: sized(20, 40), next: change }),
  );
  const outcome = await Race.run(app.url, byUpdatedAfter(read, 20), updaters, stored);
  report('updates', outcome);
  expect(outcome.missed).toBe(0);
});

test('300 records of one transaction have stamps of their own: pages of 100 by updated_after alone bring each once', async () => {
  const bulk = () =>
    Array.from({ length: 300 }, () => newCertification(skylineId, memberId(climberEmail)));
  const outcome = await Race.run(
    app.url,
    byUpdatedAfter(read, 100),
    [{ transactions: 3, next: bulk }, ...writers(3, 10)],
    stored,
  );
  report('bulks of 300', outcome);
  const { written, missed, duplicated, invented } = outcome;
  expect(written).toBeGreaterThan(900);
  expect({ missed, duplicated, invented }).toStrictEqual(nothing);
});
