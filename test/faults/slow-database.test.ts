/**
 * PostgreSQL is there and doesn't answer: a lock that stays, a pool that is used up, a network that
 * swallows packets.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { sharesOf } from '../../src/database/turns.js';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase } from '../support/database.js';
import { ensure } from '../support/expect.js';
import { bothEmail, skyline } from '../support/names.js';
import { Caller, type CallerOptions } from './caller.js';
import { startFleet } from './fleet.js';
import { Load } from './load.js';
import { startProxy } from './proxy.js';

const silent = await createDatabase();
afterAll(silent.drop);
const proxy = await startProxy(silent.url);
const poolSize = 4;
const environment = { DATABASE_POOL_SIZE: String(poolSize) };
const cutOff = await startFleet(silent.url, { environment, serverUrl: proxy.url });
const [spare, spent] = [await startApp(environment), await startApp(environment)];
const callerOf = async (app: TestApp, options: CallerOptions = {}) =>
  new Caller({ bases: [app.base], token: await app.token(bothEmail) }, options);

/**
 * Sends several requests at once. @returns Each one's status and milliseconds, by the time that it
 * took.
 */
async function sendAll(caller: Caller, path: string, count: number) {
  const timed = Array.from({ length: count }, async () => {
    const started = performance.now();
    const reply = await caller.send('GET', path);
    return { status: reply?.status, took: performance.now() - started };
  });
  return (await Promise.all(timed)).sort((one, other) => one.took - other.took);
}

// Each of them waits most of its time, and has a server or a database to itself.
describe('PostgreSQL does not answer', () => {
  test('a table is locked: who needs it gets 503 after the lock limit; while the pool lasts, others are served at once', async () => {
    const caller = await callerOf(spare);
    await spare.db.transaction(async (tx) => {
      await tx.query('lock table certification_types');
      const waiting = sendAll(caller, `${skyline}/certification-types?limit=1`, 2);
      await delay(200);
      const others = await sendAll(caller, '/v1/me', 4);
      expect(new Set(others.map(({ status }) => status))).toStrictEqual(new Set([200]));
      expect(others.at(-1)?.took ?? 0).toBeLessThan(2500);
      for (const { status, took } of await waiting)
        ensure(status === 503 && took > 4500 && took < 9000, `${status} in ${took} ms`);
    });
    expect(caller.broken).toEqual([]);
  });

  test('a table is locked: a caller waits with their share of the connections, others are served, and all is well once the lock is gone', async () => {
    const caller = await callerOf(spent, { limit: 9000 });
    const roles = `${skyline}/job-roles?limit=1`;
    await spent.db.transaction(async (tx) => {
      await tx.query('lock table job_roles');
      const waiting = sendAll(caller, roles, poolSize + 2);
      const held = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await spent.db.query(held)).length < sharesOf(poolSize).caller) await delay(20);
      const others = await sendAll(caller, '/v1/me', 10);
      console.info(
        `meanwhile: ${others.map(({ status, took }) => `${status} in ${took.toFixed(0)} ms`).join(', ')}`,
      );
      expect(new Set(others.map(({ status }) => status))).toStrictEqual(new Set([200]));
      expect(await spent.db.query(held)).toHaveLength(sharesOf(poolSize).caller);
      expect(new Set((await waiting).map(({ status }) => status))).toStrictEqual(new Set([503]));
    });
    expect(new Set((await sendAll(caller, roles, 20)).map(({ status }) => status))).toStrictEqual(
      new Set([200]),
    );
    expect(caller.broken).toEqual([]);
  });

  test('packets vanish under load: each request ends with 503 in time, a server can be stopped, and all is well once they come through', async () => {
    const [stopped] = cutOff.servers;
    await Load.during(cutOff, { limit: 14_000, mayLose: 'refused' }, async ({ caller }) => {
      await delay(500);
      proxy.stall();
      await delay(500);
      const started = performance.now();
      stopped?.child.kill('SIGTERM');
      expect(await stopped?.ended).toBe(0);
      console.info(`stopped in ${(performance.now() - started).toFixed(0)} ms`);
      ensure((caller.counts['503'] ?? 0) > 8, JSON.stringify(caller.counts));
      proxy.resume();
      await cutOff.restart(0);
      await delay(500);
    });
  });
});
