/**
 * A standby that had more of the dead primary than the one that was promoted: it holds what never
 * was, and is ahead for all its log says.
 */
import { startApp } from '../support/app.js';
import { clientOf, dataOf } from '../support/client.js';
import { managerEmail, skyline } from '../support/names.js';
import { Relay } from './relay.js';
import { startPair, until } from './servers.js';

const pair = await startPair();
const ahead = await pair.another('ahead', pair.primary);
const name = await Relay.to(pair.primary.url);
const replica = await Relay.to(ahead.url);
const drop = async () => {
  for (const relay of [name, replica]) relay.close();
  await pair.stop();
};
const url = pair.primary.urlOf('lanyard', name.port);
const app = await startApp(
  {
    DATABASE_URL: url,
    DATABASE_REPLICA_URL: ahead.urlOf('lanyard', replica.port),
    DATABASE_POOL_SIZE: '2',
  },
  { url, drop },
);
const manager = clientOf(app, managerEmail);
const types = `${skyline}/certification-types`;
const read = async (path = types) => {
  const response = await manager.get(path, { prefer: 'read=standby' });
  return { status: response.status, isFromStandby: response.headers.has('preference-applied') };
};

test('after a promotion a standby of the old timeline is passed over, one of the new is used', async () => {
  await until(async () => (await read()).isFromStandby);
  await pair.standby.query(`alter system set primary_conninfo = ''`);
  await pair.standby.stop();
  pair.standby.settings = {};
  await pair.standby.start();
  const lost: string[] = [];
  for (let count = 0; count < 100; count++)
    lost.push(dataOf(await manager.post(types, { title: `Lost ${count}` }), 201).id);
  expect(await read(`${types}/${lost[0]}`)).toStrictEqual({ status: 200, isFromStandby: true });

  pair.primary.crash();
  await pair.standby.query('select pg_promote()');
  name.lead(pair.standby.url);
  await until(async () => (await read()).status === 200);
  for (const id of lost)
    expect(await read(`${types}/${id}`)).toStrictEqual({ status: 404, isFromStandby: false });

  const next = await pair.another('next', pair.standby);
  replica.lead(next.url);
  await pair.standby.query('checkpoint');
  await until(async () => {
    await next.query('checkpoint');
    return (await read()).isFromStandby;
  });
  const made = dataOf(await manager.post(types, { title: 'Kept' }), 201).id;
  expect(await read(`${types}/${made}`)).toStrictEqual({ status: 200, isFromStandby: true });
}, 110_000);
