import pg from 'pg';
import { takeStamps } from '../../src/database/record-changes.js';
import { tickChannel } from '../../src/database/version-clock.js';
import { startApp } from '../support/app.js';
import { skylineId } from '../support/names.js';

const app = await startApp();

test('a tick announces itself only where somebody listens: announcing transactions commit one by one', async () => {
  const client = new pg.Client(app.url);
  await client.connect();
  const heard: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => void heard.push(payload));
  await client.query(`listen ${tickChannel}`);
  try {
    await app.db.transaction((tx) => takeStamps(tx, skylineId, 1));
    await client.query('select 1');
    expect(heard).toEqual([]);
    await client.query(
      `insert into change_listeners (organization_id, listener_id, expires_at) values ($1, gen_random_uuid(), now() + interval '1 minute')`,
      [skylineId],
    );
    await app.db.transaction((tx) => takeStamps(tx, skylineId, 1));
    await client.query('select 1');
    expect(heard).toStrictEqual([skylineId]);
  } finally {
    await client.end();
  }
});

test('stamps are distinct, rising and in the order asked for', async () => {
  const one = await app.db.transaction((tx) => takeStamps(tx, skylineId, 300));
  const two = await app.db.transaction((tx) => takeStamps(tx, skylineId, 2));
  const all = [...one, ...two];
  expect(new Set(all).size).toBe(302);
  expect(all).toStrictEqual(all.toSorted());
});
