/** What holds for every list, whatever its pages and whatever happens between them. */
import fc from 'fast-check';
import { recordChanges } from '../../src/database/record-changes.js';
import { startApp } from '../support/app.js';
import { nobody } from '../support/changes.js';
import { fail } from '../support/expect.js';
import { type Listed, lists, storedOf, touchStored } from '../support/listed.js';
import { type Page, readerOf, walk } from '../support/walk.js';

const app = await startApp();
const read = (list: Listed) => readerOf(app, list.path, list.email);

const limits = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 200 }));
/**
 * What others write between two pages: rows touched (by their place in the list) and rows added,
 * all in one transaction.
 */
const meanwhile = fc.record({
  touched: fc.array(fc.nat(1000), { maxLength: 4 }),
  added: fc.nat(2),
});
const runs = { numRuns: 20 };

async function writeMeanwhile(
  list: Listed,
  { touched, added }: { touched: number[]; added: number },
): Promise<void> {
  const stored = await storedOf(app, list);
  const places = new Set(touched.map((place) => place % stored.length));
  const changes = [
    ...stored.filter((_, place) => places.has(place)).map((row) => touchStored(app, list, row)),
    ...Array.from({ length: list.add ? added : 0 }, () => list.add?.()).filter(
      (change) => change !== undefined,
    ),
  ];
  await app.db.transaction((tx) => recordChanges(tx, nobody, changes));
}

function checkPage({ data, page }: Page, limit: number): void {
  expect(data.length).toBeLessThanOrEqual(limit);
  expect(page.has_more).toBe(page.next_cursor !== null);
  if (page.has_more) expect(data).toHaveLength(limit);
}

const orderOf = ({ updated_at, id }: { updated_at: string; id: string }) => `${updated_at} ${id}`;

/** Walks the list to its end, and expects every record in order, and each as it is at the end. */
async function checkWalk(
  list: Listed,
  limit: number,
  between: () => Promise<void> = async () => {},
): Promise<void> {
  const last = new Map<string, string>();
  let position = '';
  for await (const page of walk(read(list), { limit })) {
    checkPage(page, limit);
    for (const record of page.data) {
      expect(orderOf(record) > position).toBe(true); // in the order of (updated_at, id)
      position = orderOf(record);
      last.set(record.id, record.updated_at);
    }
    if (page.page.has_more) await between();
  }
  const stored = await storedOf(app, list);
  expect(last).toStrictEqual(new Map(stored.map(({ id, updatedAt }) => [id, updatedAt])));
}

for (const list of lists) {
  describe(`GET ${list.path.replace(/[0-9a-f-]{36}/g, '{id}')}`, () => {
    test('any limit, any changes and additions between the pages: every record in order, at least once, and as it last was', () =>
      fc.assert(
        fc.asyncProperty(limits, fc.array(meanwhile, { maxLength: 6 }), (limit, steps) => {
          const left = [...steps];
          return checkWalk(list, limit, async () => {
            const step = left.shift();
            if (step) await writeMeanwhile(list, step);
          });
        }),
        runs,
      ));

    test('updated_after is exclusive to the microsecond, in any offset', async () => {
      const stored = await storedOf(app, list);
      const reader = read(list);
      for (const place of [0, Math.floor(stored.length / 2), stored.length - 1]) {
        const { id, updatedAt } = stored[place] ?? fail('no such place');
        const idsAfter = async (instant: string) =>
          (await reader({ limit: 200, updated_after: instant })).data.map((record) => record.id);
        const later = stored.slice(place + 1).map((row) => row.id);
        expect(await idsAfter(updatedAt)).toStrictEqual(later);
        // Digits beyond the microsecond.
        expect(await idsAfter(updatedAt.replace('Z', '999Z'))).toStrictEqual(later);
        expect(await idsAfter(inOffset(updatedAt, 5))).toStrictEqual(later);
        expect(await idsAfter(oneMicrosecondBefore(updatedAt))).toStrictEqual([id, ...later]);
      }
    });

    test('records with the same updated_at come each once, whatever the limit', async () => {
      await app.db.query(
        `update ${list.rows.replace(' where', ` set updated_at = date_trunc('day', updated_at) where`)}`,
      );
      for (const limit of [1, 2, 3, 7]) await checkWalk(list, limit);
    });
  });
}

const inOffset = (instant: string, hours: number): string =>
  `${new Date(Date.parse(instant) + hours * 3_600_000).toISOString().slice(0, 19)}${instant.slice(19, 26)}+0${hours}:00`;

function oneMicrosecondBefore(instant: string): string {
  const micros =
    BigInt(Date.parse(`${instant.slice(0, 19)}Z`)) * 1000n + BigInt(instant.slice(20, 26)) - 1n;
  return `${new Date(Number(micros / 1000n)).toISOString().slice(0, 19)}.${String(micros % 1_000_000n).padStart(6, '0')}Z`;
}
