/**
 * Duplicates of a request reach two server processes while one after the other is killed: each key
 * makes one record.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sized } from '../faults/fleet.js';
import { startApp } from '../support/app.js';
import { marker } from '../support/changes.js';
import { fail } from '../support/expect.js';
import { climberEmail, managerEmail, memberId, skyline, typeId } from '../support/names.js';
import { freePort, type Server, startServer } from '../support/server.js';

/** As many as it takes for the kills, and so many at the least. */
const minKeys = sized(100, 300);
const keys: string[] = [];
const kills = { servers: 0, connections: 0 };
const isEnough = () => keys.length >= minKeys && kills.servers >= 3 && kills.connections >= 10;
const duplicates = 4;
/** Keys at work at a time: what a slow machine can't do at once would only wait. */
const concurrency = 10;
/**
 * Milliseconds that each of them rests at the most before its next key, so that the kills meet all
 * of them.
 */
const rest = 600;
const patience = 60_000;

const app = await startApp();
const token = await app.token(managerEmail);
const environment = { DATABASE_URL: app.url, BASE_URL: app.config.BASE_URL, LOG_LEVEL: 'silent' };
const ports = [await freePort(), await freePort()];
const servers: Server[] = await Promise.all(ports.map((port) => startServer(environment, port)));
afterAll(() => Promise.all(servers.map(({ child, ended }) => child.kill('SIGKILL') && ended)));

interface Reply {
  readonly text: string;
  readonly isReplay: boolean;
  readonly attempts: number;
}

/**
 * Sends until there is an answer, as a client would: again after a lost connection, and after 503.
 */
async function insist(key: string, number: number): Promise<Reply> {
  const body = JSON.stringify({
    organization_member_id: memberId(climberEmail),
    certification_type_id: typeId('rf-awareness'),
    external_source: marker,
    serial_number: key,
  });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': key,
  };
  const history: string[] = [];
  const started = performance.now();
  for (let attempts = 1; performance.now() - started < patience; attempts++) {
    const base = `http://127.0.0.1:${ports[(number + attempts) % ports.length]}`;
    const sent = performance.now();
    const reply = await fetch(`${base}${skyline}/certifications`, { method: 'POST', headers, body })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch(() => undefined);
    history.push(
      `${reply?.response.status ?? 'lost'} after ${Math.round(performance.now() - sent)} ms`,
    );
    if (reply?.response.status === 201) {
      return {
        text: reply.text,
        isReplay: reply.response.headers.get('idempotency-replayed') === 'true',
        attempts,
      };
    }
    if (reply) expect([reply.text, reply.response.status]).toStrictEqual([reply.text, 503]);
    await delay(50);
  }
  fail(`${key} is stuck: ${history.join(', ')}`);
}

/**
 * Every quarter second: kills one of the servers if both are up, and a connection that is in the
 * middle of a transaction.
 */
async function killOften(isOver: () => boolean): Promise<void> {
  let restarting: Promise<void> | undefined;
  const restart = async (victim: number) => {
    kills.servers++;
    servers[victim]?.child.kill('SIGKILL');
    await servers[victim]?.ended;
    servers[victim] = await startAgain(ports[victim]);
    restarting = undefined;
  };
  while (!isOver()) {
    await delay(250);
    restarting ??= restart(kills.servers % servers.length);
    kills.connections += (await app.db.query(killConnection)).length;
  }
  await restarting;
}

/**
 * As a supervisor would: a connection that is killed while the server starts ends it, and it is
 * started once more. No other end is allowed.
 */
const startAgain = (port: number | undefined, left = 3): Promise<Server> =>
  startServer(environment, port).catch((error: Error) => {
    if (!left || !error.message.includes('PostgreSQL is not available')) throw error;
    return startAgain(port, left - 1);
  });

const killConnection = `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null limit 1) open`;

test(`POST certifications: ${minKeys} keys or more, each sent 4 times at once to two processes of which one is killed all the time: one record and one answer per key`, async () => {
  let isOver = false;
  const killing = killOften(() => isOver);
  const waits: number[] = [];
  const replies: Reply[][] = [];
  const sendNext = async (): Promise<void> => {
    if (isEnough()) return;
    const key = `key-${keys.length}`;
    keys.push(key);
    await delay(randomInt(rest));
    const started = performance.now();
    replies.push(
      await Promise.all(Array.from({ length: duplicates }, (_, number) => insist(key, number))),
    );
    waits.push(performance.now() - started);
    return sendNext();
  };
  await Promise.all(Array.from({ length: concurrency }, sendNext)).finally(() => {
    isOver = true;
  });
  await killing;

  for (const each of replies) {
    expect(new Set(each.map(({ text }) => text)).size).toBe(1); // the same bytes for every caller
    // All but one are replays.
    expect(each.filter(({ isReplay }) => !isReplay).length).toBeLessThanOrEqual(1);
  }
  const records = await app.db.query<{ key: string; id: string }>(
    `select serial_number as key, id from certifications where external_source = $1`,
    [marker],
  );
  expect(records.map(({ key }) => key).sort()).toStrictEqual([...keys].sort());
  const answered = new Map(
    replies.map(([reply]) => [
      JSON.parse(reply?.text ?? '').data.serial_number,
      JSON.parse(reply?.text ?? '').data.id,
    ]),
  );
  expect(new Map(records.map(({ key, id }) => [key, id]))).toStrictEqual(answered);
  const [stored] = await app.db.query(
    'select count(*) as count, count(status) as done from idempotency_records',
  );
  expect(stored).toStrictEqual({ count: keys.length, done: keys.length });

  waits.sort((a, b) => a - b);
  const lost = replies.filter((each) => each.every(({ isReplay }) => isReplay)).length;
  const attempts = Math.max(...replies.flat().map((reply) => reply.attempts));
  console.info(
    `killed ${kills.servers} servers and ${kills.connections} connections; ${lost} keys whose first answer was lost; up to ${attempts} attempts; all four answered after p50 ${waits[Math.floor(keys.length / 2)]?.toFixed(0)} ms, max ${waits.at(-1)?.toFixed(0)} ms`,
  );
});
