/**
 * The connection to PostgreSQL is cut around a commit: the server can't know whether it happened,
 * and the client's key settles it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createDatabase } from '../support/database.js';
import { typeId } from '../support/names.js';
import { Caller } from './caller.js';
import { sized, startFleet } from './fleet.js';
import { Load } from './load.js';
import { startProxy } from './proxy.js';

const { url, drop } = await createDatabase();
afterAll(drop);
const proxy = await startProxy(url);
const fleet = await startFleet(url, { serverUrl: proxy.url });

for (const [how, isWritten] of [
  ['after commit', true],
  ['before commit', false],
] as const) {
  test(`cut ${how}: 503, and the retry with the key makes ${isWritten ? 'nothing: it gets the answer that was lost' : 'the record'}`, async () => {
    const caller = new Caller(fleet);
    const tag = randomUUID();
    const body = { certification_type_id: typeId('rf-awareness'), serial_number: tag };
    const request = [
      'POST',
      '/v1/certifications',
      { body, headers: { 'idempotency-key': tag } },
    ] as const;
    const stored = () =>
      fleet.db.query<{ id: string }>('select id from certifications where serial_number = $1', [
        tag,
      ]);
    const cut = proxy.cut(how);
    const first = await caller.send(...request);
    await cut;
    expect([first?.status, first?.body.error.code]).toEqual([503, 'service_unavailable']);
    expect(await stored()).toHaveLength(isWritten ? 1 : 0);
    // Until PostgreSQL has noticed that the first is gone, its key is in progress.
    const second = await caller.insist(...request);
    expect([second?.status, second?.isReplay]).toStrictEqual([201, isWritten]);
    expect(await stored()).toStrictEqual([{ id: second?.body.data.id }]);
    expect(caller.broken).toEqual([]);
  });
}

test('cut again and again under load: 503 alone, nothing acknowledged is lost, and nothing is there twice', async () => {
  const cuts = sized(30, 400);
  const { counts } = await Load.during(fleet, {}, async ({ caller }) => {
    for (let count = 0; count < cuts; count++) {
      await proxy.cut(count % 3 === 0 ? 'before commit' : 'after commit');
      await delay(20);
    }
    return caller;
  });
  expect(counts['503'] ?? 0).toBeGreaterThanOrEqual(cuts / 2);
});
