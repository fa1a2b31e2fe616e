import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { tick, tickChannel } from '../../src/database/clock.js';
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
    await app.db.transaction((tx) => tick(tx, skylineId, 1));
    await client.query('select 1');
    assert.deepEqual(heard, []);
    await client.query(
      `insert into change_listeners (organization_id, listener_id, expires_at) values ($1, gen_random_uuid(), now() + interval '1 minute')`,
      [skylineId],
    );
    await app.db.transaction((tx) => tick(tx, skylineId, 1));
    await client.query('select 1');
    assert.deepEqual(heard, [skylineId]);
  } finally {
    await client.end();
  }
});

test('stamps are distinct, rising and in the order asked for', async () => {
  const one = await app.db.transaction((tx) => tick(tx, skylineId, 300));
  const two = await app.db.transaction((tx) => tick(tx, skylineId, 2));
  const all = [...one, ...two];
  assert.equal(new Set(all).size, 302);
  assert.deepEqual(all, all.toSorted());
});
