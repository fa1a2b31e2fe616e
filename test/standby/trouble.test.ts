/** A standby in trouble: it is passed over without an error, and taken up again by itself. */
import { startApp } from '../support/app.js';
import { clientOf, dataOf } from '../support/client.js';
import { ensure } from '../support/expect.js';
import { managerEmail, skyline } from '../support/names.js';
import { Relay } from './relay.js';
import { startPair, until } from './servers.js';

const pair = await startPair();
const relay = await Relay.to(pair.standby.url);
const drop = async () => {
  relay.close();
  await pair.stop();
};
const app = await startApp(
  { DATABASE_REPLICA_URL: pair.standby.urlOf('lanyard', relay.port) },
  { url: pair.primary.url, drop },
);

const prefer = { prefer: 'read=standby' };
const applied = ({ headers }: { headers: Headers }) => headers.get('preference-applied');
const manager = clientOf(app, managerEmail);
const types = `${skyline}/certification-types`;
const isOnStandby = async () => applied(await manager.get(types, prefer)) === 'read=standby';
const createType = async () =>
  dataOf(await manager.post(types, { title: `Type ${crypto.randomUUID()}` }), 201).id as string;

describe('passes over, without an error, and comes back by itself:', () => {
  /** Reads all the while; none may fail or take long. */
  async function troubled(trouble: () => Promise<void>, mend: () => Promise<void>): Promise<void> {
    await until(isOnStandby);
    await trouble();
    let slowest = 0;
    for (let turn = 0; turn < 30; turn++) {
      const id = await createType();
      const started = performance.now();
      const response = await manager.get(`${types}/${id}`, prefer);
      slowest = Math.max(slowest, performance.now() - started);
      expect([response.status, applied(response)]).toEqual([200, null]);
    }
    ensure(slowest < 3000, `${slowest} ms`);
    await mend();
    await until(isOnStandby);
  }

  test('a standby that is down', () =>
    troubled(
      () => pair.standby.stop(),
      () => pair.standby.start(),
    ));

  test('one that lags', () =>
    troubled(
      async () => void (await pair.standby.query('select pg_wal_replay_pause()')),
      async () => void (await pair.standby.query('select pg_wal_replay_resume()')),
    ));

  test('one that hangs', () =>
    troubled(
      async () => relay.hold(),
      async () => relay.release(),
    ));

  test('one whose connections are cut in the middle of reads', async () => {
    let isOver = false;
    const cutting = (async () => {
      while (!isOver)
        await pair.standby.query(
          `select pg_terminate_backend(pid), pg_sleep(0.02) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
        );
    })();
    const read = async () => {
      for (let turn = 0; turn < 100; turn++)
        expect((await manager.get(types, prefer)).status).toBe(200);
    };
    await Promise.all(Array.from({ length: 4 }, read));
    isOver = true;
    await cutting;
    await until(isOnStandby);
  });
});
