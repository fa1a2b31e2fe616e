/** Checks a standby, a pooler, and the connection that listens for changes. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Config, ConfigError } from '../../config.js';
import { checkServer } from '../../database/session.js';
import type { Client } from '../../database/wire/client.js';
import { type Finding, failure, ok, warning } from './finding.js';
import { one, unreachable, withSession } from './session.js';

/** Identifies the cluster: equal for a primary and its standbys. */
const identityStatement =
  'select system_identifier::text as system, current_database() as database from pg_control_system()';

interface Identity {
  readonly system: string;
  readonly database: string;
}

const isSame = (here: Identity, there: Identity): boolean =>
  here.system === there.system && here.database === there.database;

/** Milliseconds in which the server expects a standby to catch up, and that the doctor waits. */
const [catchUpMs, maxWaitMs] = [250, 2000];

const check = 'standby';

export async function checkStandby(
  primary: Client,
  { DATABASE_REPLICA_URL: url, DATABASE_DIRECT_URL }: Config,
): Promise<Finding> {
  if (!url) return ok(check, 'none: the primary takes all reads');
  const isPooled = DATABASE_DIRECT_URL !== undefined;
  // The server then reads on the primary.
  return withSession(url, isPooled, (standby) => compare(primary, standby)).catch((error) =>
    unreachable(check, 'DATABASE_REPLICA_URL', error, warning),
  );
}

async function compare(primary: Client, standby: Client): Promise<Finding> {
  const { isStandby } = await one<{ isStandby: boolean }>(
    standby,
    'select pg_is_in_recovery() as "isStandby"',
  );
  if (!isStandby)
    return warning(
      check,
      'DATABASE_REPLICA_URL is not a standby: no reads go there',
      'Set it to a streaming standby, or omit it.',
    );
  if (
    !isSame(
      await one<Identity>(primary, identityStatement),
      await one<Identity>(standby, identityStatement),
    )
  ) {
    return failure(
      check,
      'DATABASE_REPLICA_URL is a standby of another database',
      'Set it to a standby of the primary.',
    );
  }
  const { lsn } = await one<{ lsn: string }>(
    primary,
    'select pg_current_wal_flush_lsn()::text as lsn',
  );
  const started = performance.now();
  let behind = await bytesBehind(standby, lsn);
  while (behind > 0 && performance.now() - started < maxWaitMs) {
    await delay(20);
    behind = await bytesBehind(standby, lsn);
  }
  const took = Math.round(performance.now() - started);
  if (behind > 0)
    return warning(
      check,
      `it is ${behind} bytes of log behind after ${maxWaitMs} ms: the primary takes its reads`,
      remedies.lag,
    );
  if (took > catchUpMs)
    return warning(
      check,
      `it took ${took} ms to catch up, and the maximum is ${catchUpMs}: the primary takes its reads`,
      remedies.lag,
    );
  return ok(check, `caught up with the primary within ${took} ms`);
}

const remedies = {
  lag: 'See pg_stat_replication on the primary, and on the standby recovery_min_apply_delay, pauses of its replay, its disk and long queries.',
};

async function bytesBehind(standby: Client, lsn: string): Promise<number> {
  const { behind } = await one<{ behind: number }>(
    standby,
    `select greatest(pg_wal_lsn_diff($1::pg_lsn, coalesce(pg_last_wal_replay_lsn(), '0/0')), 0)::float8 as behind`,
    [lsn],
  );
  return behind;
}

/** @param direct A session that bypasses the pooler. */
export async function checkPooler(
  direct: Client,
  { DATABASE_URL: url, DATABASE_DIRECT_URL }: Config,
): Promise<Finding> {
  const check = 'pooler';
  if (!url || !DATABASE_DIRECT_URL) return ok(check, 'none: DATABASE_DIRECT_URL is not set');
  const there = await withSession(url, true, (client) => one<Identity>(client, identityStatement));
  if (!isSame(await one<Identity>(direct, identityStatement), there)) {
    return failure(
      check,
      'DATABASE_URL and DATABASE_DIRECT_URL are different databases',
      'Set both to the same database, through the pooler and directly.',
    );
  }
  try {
    await checkServer(url, true);
    return ok(check, 'sessions through it are in UTC and have time limits');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [, ...statements] = error.message.split('\n').map((line) => line.trim());
    return failure(
      check,
      'sessions through it lack settings that the role must have',
      `${statements.join(' ')} Then RECONNECT in the pooler.`,
    );
  }
}

/** Milliseconds for a notification to arrive. */
const hearing = 2000;

/**
 * Listens on a test channel, and notifies it from another session: behind an undeclared pooler
 * nothing arrives.
 */
export async function checkListener(url: string): Promise<Finding> {
  const check = 'listener';
  const channel = `lanyard_doctor_${randomUUID().replaceAll('-', '')}`;
  return withSession(url, false, async (client) => {
    const heard = new Promise<boolean>((resolve) =>
      client.once('notification', () => resolve(true)),
    );
    await client.query(`listen ${channel}`);
    await withSession(url, false, (caller) =>
      caller.query('select pg_notify($1, $2)', [channel, '']),
    );
    const isHeard = await Promise.race([heard, delay(hearing, false, { ref: false })]);
    return isHeard
      ? ok(check, 'notifications arrive')
      : failure(
          check,
          `no notification arrived in ${hearing} ms: streams would see changes late`,
          'Set DATABASE_DIRECT_URL to PostgreSQL itself, not to a pooler.',
        );
  });
}
