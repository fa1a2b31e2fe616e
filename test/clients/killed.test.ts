/**
 * The mirror of clients/typescript/examples against a server that is killed every second, while
 * writers write and the mirror itself is killed too: at the end it equals the tables.
 * LANYARD_SYNC_SECONDS makes it longer.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { packageRoot } from '../../src/root.js';
import { startApp } from '../support/app.js';
import { managerEmail, skylineId } from '../support/names.js';
import { freePort, type Server, startServer } from '../support/server.js';
import { lanyardOf } from './lanyard.js';
import { lists, mirroredIn, storedIn } from './mirrored.js';
import { Work } from './work.js';

const duration = Number(process.env.LANYARD_SYNC_SECONDS ?? 8) * 1000;

const app = await startApp();
const directory = mkdtempSync(join(tmpdir(), 'lanyard-mirror-'));
const file = join(directory, 'mirror.sqlite');
const environment = {
  DATABASE_URL: app.url,
  BASE_URL: app.config.BASE_URL,
  LOG_LEVEL: 'silent',
  NODE_COMPILE_CACHE: join(directory, 'compiled'),
};
const port = await freePort();
let server: Server = await startServer(environment, port);
let mirror: ChildProcess | undefined;
async function startMirror(): Promise<void> {
  const env = {
    LANYARD_URL: server.base,
    ORGANIZATION: skylineId,
    MIRROR: file,
    TOKENS: JSON.stringify({ access_token: await app.token(managerEmail) }),
  };
  mirror = spawn(
    process.execPath,
    [join(packageRoot, 'dist/clients/typescript/examples/mirror.js')],
    {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
}

const work = new Work(app);
const kills = { servers: 0, mirrors: 0 };

/**
 * Every second, and not before something was written: else a machine that is slow to start a server
 * would get nowhere.
 */
async function killServers(): Promise<void> {
  while (!work.isOver) {
    const before = work.created;
    await delay(1000);
    while (!work.isOver && work.created === before) await delay(50);
    kills.servers++;
    server.child.kill('SIGKILL');
    await server.ended;
    server = await startServer(environment, port);
  }
}

async function killMirrors(): Promise<void> {
  while (!work.isOver) {
    await startMirror();
    await delay(300 + randomInt(2200));
    expect(mirror?.exitCode).toBeNull(); // the mirror goes on whatever happens to the server
    kills.mirrors++;
    mirror?.kill('SIGKILL');
    await once(mirror as ChildProcess, 'exit');
  }
}

test('the mirror waits while something else has its file', async () => {
  const holder = new DatabaseSync(file);
  holder.exec('begin exclusive; create table held (id int)');
  await startMirror();
  const first = await Promise.race([
    once(mirror as ChildProcess, 'exit').then(() => 'ended'),
    delay(1500).then(() => 'waits'),
  ]);
  holder.exec('drop table held; commit');
  holder.close();
  expect(first).toBe('waits');
  const isThere = () => {
    try {
      return Object.keys(mirroredIn(file, 'certifications')).length > 0;
    } catch {
      return false;
    }
  };
  for (const started = performance.now(); !isThere() && performance.now() - started < 20_000; )
    await delay(50);
  expect(isThere()).toBe(true);
  mirror?.kill('SIGKILL');
  await once(mirror as ChildProcess, 'exit');
});

test('the mirror equals the tables after all that, and each create happened once', async () => {
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(async () => {
    mirror?.kill('SIGKILL');
    server.child.kill('SIGKILL');
    await server.ended;
    rmSync(directory, { recursive: true });
  });
  const clients = Array.from({ length: 4 }, () =>
    lanyardOf(app, managerEmail, { baseUrl: server.base, patience: 10 * duration }),
  );
  const writers = Promise.all(
    clients.map((client, number) => work.writeThrough(client, `writer-${number}`)),
  );
  const all = Promise.all([writers, work.writeBeside(), killServers(), killMirrors()]);
  const isEnough = () => kills.servers >= 2 && kills.mirrors >= 4;
  const begun = performance.now();
  while (
    performance.now() - begun < duration ||
    (!isEnough() && performance.now() - begun < 5 * duration)
  ) {
    await Promise.race([delay(100), all]);
  }
  work.isOver = true;
  const [serials] = await all;
  const started = performance.now();
  await startMirror();

  const expected = await Promise.all(lists.map((list) => storedIn(app.db, list)));
  const isEqual = () =>
    isDeepStrictEqual(
      lists.map((list) => mirroredIn(file, list)),
      expected,
    );
  while (!isEqual() && performance.now() - started < 20_000) await delay(100);
  lists.forEach((list, place) => {
    expect([list, mirroredIn(file, list)]).toStrictEqual([list, expected[place]]);
  });

  const made = await app.db.query<{ serial: string }>(
    `select serial_number as serial from certifications where serial_number like 'writer-%'`,
  );
  expect(made.map(({ serial }) => serial).sort()).toStrictEqual(serials.flat().sort());
  console.info(
    `killed ${kills.servers} servers and ${kills.mirrors} mirrors; ${expected.map((rows) => Object.keys(rows).length).join(' certifications and ')} members; ${made.length} creates by clients; caught up in ${Math.round(performance.now() - started)} ms`,
  );
  expect(isEnough()).toBe(true);
});
