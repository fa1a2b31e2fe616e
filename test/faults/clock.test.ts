/**
 * Clocks that are wrong: PostgreSQL's is stepped back, and those of the servers differ. Needs
 * Debian's faketime.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { purgeExpired } from '../../src/auth/oauth/purge.js';
import { startApp } from '../support/app.js';
import { isInstalled } from '../support/installed.js';
import { bothEmail } from '../support/names.js';
import { startServer } from '../support/server.js';
import { startCluster } from './cluster.js';
import { openFleet, sized } from './fleet.js';
import { Load } from './load.js';

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

const app = await startApp();

const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketime.so.1`;
const skip = !isInstalled('faketime') && "needs Debian's faketime";

/**
 * The environment of a process whose clock is off by what a file says, in seconds; `0` at first.
 */
function fakeClock(): { readonly environment: Record<string, string>; set(seconds: number): void } {
  const directory = mkdtempSync(join(tmpdir(), 'lanyard-clock-'));
  cleanup.defer(() => rmSync(directory, { recursive: true }));
  chmodSync(directory, 0o755);
  const file = join(directory, 'offset');
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}`);
  set(0);
  const environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return { environment, set };
}

(skip ? test.skip : test)(
  "PostgreSQL's clock steps back a minute, and again, under load: stamps go on rising, and who follows misses nothing",
  async () => {
    const clock = fakeClock();
    await using cluster = await startCluster();
    await cluster.kill('SIGQUIT');
    await cluster.start(clock.environment);
    await using fleet = await openFleet(cluster.url);
    const isBehind = async (): Promise<number> => {
      const [row] = await fleet.db.query<{ now: string }>('select clock_timestamp() as now');
      return Date.now() - Date.parse(row?.now ?? '');
    };
    await Load.during(fleet, {}, async () => {
      for (let step = 1; step <= sized(2, 10); step++) {
        await delay(400);
        clock.set(-60 * step);
        while ((await isBehind()) < 55_000 * step) await delay(50);
      }
      await delay(400);
    });
  },
);

(skip ? test.skip : test)(
  'servers whose clocks are a minute behind or ahead take the tokens of the others',
  async () => {
    const headers = { authorization: `Bearer ${await app.token(bothEmail)}` };
    const ask = async (seconds: number) => {
      const clock = fakeClock();
      clock.set(seconds);
      const server = await startServer({
        DATABASE_URL: app.url,
        BASE_URL: app.config.BASE_URL,
        ...clock.environment,
      });
      try {
        const response = await fetch(`${server.base}/v1/me`, { headers });
        const told = Date.parse(response.headers.get('date') ?? '');
        expect(Math.abs(told - Date.now() - seconds * 1000)).toBeLessThan(5000); // its clock is off
        expect(response.status).toBe(200);
      } finally {
        server.child.kill('SIGKILL');
        await server.ended;
      }
    };
    await Promise.all([ask(-60), ask(60)]);
  },
);

test('a revocation is kept longer than clocks differ: no server takes the token again because its clock is behind', async () => {
  await app.db.query(
    `insert into revoked_tokens (jti, expires_at) values ('fresh', now() - interval '10 minutes'), ('old', now() - interval '1 day')`,
  );
  await purgeExpired(app.db);
  expect(await app.db.query('select jti from revoked_tokens')).toStrictEqual([{ jti: 'fresh' }]);
});
