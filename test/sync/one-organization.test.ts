/** The promise of synchronisation within one organization: a client that follows `updated_at` misses nothing. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { beforeEach, type TestContext, test } from 'node:test';
import { type Change, write } from '../../src/database/journal.js';
import { sized } from '../faults/fleet.js';
import { startApp } from '../support/app.js';
import { marker, newCertification, nobody, touch } from '../support/changes.js';
import { clientOf, dataOf } from '../support/client.js';
import { climberEmail, managerEmail, memberId, skyline, skylineId, typeId } from '../support/names.js';
import { type Accident, byCursor, byUpdatedAfter, naiveWrite, Race, type Writer } from '../support/race.js';
import { readerOf } from '../support/walk.js';

const app = await startApp();
const read = readerOf(app, `${skyline}/certifications?external_source=${marker}`, managerEmail);
const stored = `select id, updated_at as "updatedAt" from certifications where external_source = '${marker}'`;

const some = (most: number) => Array.from({ length: 1 + randomInt(most) }, () => newCertification(skylineId, memberId(climberEmail)));
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
const report = (t: TestContext, name: string, outcome: object) => t.diagnostic(`one organization, ${name}: ${JSON.stringify(outcome)}`);

test('8 writers hold transactions open for up to 50 ms beside HTTP creates: a client of the greatest updated_at misses none', async (t) => {
  const [transactions, creates] = [sized(30, 100), sized(50, 150)];
  const beside = () => Promise.all([create(creates), create(creates)]);
  const outcome = await Race.run(app.url, byUpdatedAfter(read, 20), writers(8, transactions), stored, { beside });
  report(t, 'by updated_after', outcome);
  const { written, missed, duplicated, invented } = outcome;
  assert.ok(written >= 8 * 5 * transactions + 2 * creates, `${written} written`);
  assert.deepEqual({ missed, duplicated, invented }, nothing);
});

test('planted: stamped with the time at the start of the transaction, it misses some', async (t) => {
  const outcome = await Race.run(app.url, byUpdatedAfter(read, 20), writers(8, 20), stored, { write: naiveWrite });
  report(t, 'naive stamps', outcome);
  assert.ok(outcome.missed > 0);
});

test('writers roll back and are killed in mid-transaction: a client that walks by cursor misses none, and sees nothing of those', async (t) => {
  const accidents: Accident[] = ['rollback', 'kill', undefined, undefined, undefined, undefined];
  const accident = () => accidents[randomInt(accidents.length)];
  const outcome = await Race.run(app.url, byCursor(read, 20), writers(8, 20, { accident }), stored);
  report(t, 'by cursor, with accidents', outcome);
  const { written, missed, duplicated, invented } = outcome;
  assert.ok(written > 300);
  assert.deepEqual({ missed, duplicated, invented }, nothing);
});

test('records are changed again and again while the client follows: it ends with each as it last was', async (t) => {
  const records = Array.from({ length: 60 }, () => newCertification(skylineId, memberId(climberEmail)));
  await app.db.transaction((tx) => write(tx, nobody, records));
  const change = () =>
    [...new Set(Array.from({ length: 5 }, () => randomInt(records.length)))].sort().map((place) => touch(records[place] as Change));
  const updaters = Array.from({ length: 8 }, (): Writer => ({ transactions: sized(20, 40), next: change }));
  const outcome = await Race.run(app.url, byUpdatedAfter(read, 20), updaters, stored);
  report(t, 'updates', outcome);
  assert.equal(outcome.missed, 0);
});

test('300 records of one transaction have stamps of their own: pages of 100 by updated_after alone bring each once', async (t) => {
  const bulk = () => Array.from({ length: 300 }, () => newCertification(skylineId, memberId(climberEmail)));
  const outcome = await Race.run(app.url, byUpdatedAfter(read, 100), [{ transactions: 3, next: bulk }, ...writers(3, 10)], stored);
  report(t, 'bulks of 300', outcome);
  const { written, missed, duplicated, invented } = outcome;
  assert.ok(written > 900);
  assert.deepEqual({ missed, duplicated, invented }, nothing);
});
