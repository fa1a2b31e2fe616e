/** Applies schema migrations. */
import { setTimeout as delay } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import type { MikroORM, Options, SqlEntityManager } from '@mikro-orm/postgresql';
import { Database } from './connection.js';
import { pgError } from './failures.js';
import { SystemOfRecord } from './migrations/0001_system_of_record.js';
import { OAuth } from './migrations/0002_oauth.js';
import { People } from './migrations/0003_people.js';
import { Apps } from './migrations/0004_apps.js';
import { History } from './migrations/0005_history.js';
import { JobRoleQualifications } from './migrations/0006_job_role_qualifications.js';
import { DashboardIndexes } from './migrations/0007_dashboard_indexes.js';
import { ChangeListeners } from './migrations/0008_change_listeners.js';
import { AuditIsAppendOnly } from './migrations/0009_audit_is_append_only.js';
import { LatestTick } from './migrations/0010_latest_tick.js';
import { WhatWasIsNoReference } from './migrations/0011_what_was_is_no_reference.js';
import { PresumedCallers } from './migrations/0012_presumed_callers.js';
import { AccountsAndInvitations } from './migrations/0013_accounts_and_invitations.js';
import { NoPresumedWriters } from './migrations/0015_no_presumed_writers.js';
import { StampsOfEvents } from './migrations/0016_stamps_of_events.js';
import { ClocksAreLocks } from './migrations/0017_clocks_are_locks.js';

/** Listed in code, so that a bundle or a renamed file changes nothing. */
export const migrations: NonNullable<Options['migrations']> = {
  migrationsList: [
    { name: '0001_system_of_record', class: SystemOfRecord },
    { name: '0002_oauth', class: OAuth },
    { name: '0003_people', class: People },
    { name: '0004_apps', class: Apps },
    { name: '0005_history', class: History },
    { name: '0006_job_role_qualifications', class: JobRoleQualifications },
    { name: '0007_dashboard_indexes', class: DashboardIndexes },
    { name: '0008_change_listeners', class: ChangeListeners },
    { name: '0009_audit_is_append_only', class: AuditIsAppendOnly },
    { name: '0010_latest_tick', class: LatestTick },
    { name: '0011_what_was_is_no_reference', class: WhatWasIsNoReference },
    { name: '0012_presumed_callers', class: PresumedCallers },
    { name: '0013_accounts_and_invitations', class: AccountsAndInvitations },
    { name: '0015_no_presumed_writers', class: NoPresumedWriters },
    { name: '0016_stamps_of_events', class: StampsOfEvents },
    { name: '0017_clocks_are_locks', class: ClocksAreLocks },
  ],
  tableName: 'migrations',
  transactional: true,
  allOrNothing: true,
  snapshot: false,
};

export interface MigrationWaits {
  /**
   * Milliseconds that a migration waits for a lock. All later statements on the table, reads
   * included, queue behind it meanwhile.
   */
  readonly lockTimeoutMs: number;
  /** Number of attempts, and the milliseconds between two, in which queued statements can run. */
  readonly attempts: number;
  readonly pause: number;
}

const defaultWaits: MigrationWaits = { lockTimeoutMs: 3000, attempts: 20, pause: 2000 };

/**
 * A migration could not get its locks. None of it was applied. The message names possible lock
 * holders and the remedy.
 */
export class MigrationBlocked extends Error {}

/**
 * Applies the pending migrations, each in its own transaction. A second process waits, and then
 * finds nothing to do.
 * @param orm With at least three connections: one holds the lock that excludes other processes, one
 * the transaction of a migration, and one builds indexes concurrently.
 * @returns The names of the migrations that were pending.
 * @throws {MigrationBlocked} Earlier migrations stay applied.
 */
export const migrate = (orm: MikroORM, waits: MigrationWaits = defaultWaits): Promise<string[]> =>
  new Database(orm.em).transaction(async (turn) => {
    await takeTurn(turn);
    const migrator = new Migrator(orm.em);
    const pending = await pendingOf(migrator);
    for (const name of pending) await apply(migrator, orm.em, name, waits);
    return pending;
  });

/**
 * Polls, because a statement that waits has a snapshot, and an index that is built concurrently
 * waits for all older snapshots.
 */
async function takeTurn(turn: Database): Promise<void> {
  for (;;) {
    const [row] = await turn.query<{ isMine: boolean }>(
      `select pg_try_advisory_xact_lock(hashtext('lanyard migrate')) as "isMine"`,
    );
    if (row?.isMine) return;
    await delay(100);
  }
}

async function apply(
  migrator: Migrator,
  em: SqlEntityManager,
  name: string,
  { lockTimeoutMs, attempts, pause }: MigrationWaits,
): Promise<void> {
  const connection = em.getConnection();
  for (let attempt = 1; ; attempt++) {
    try {
      return await connection.transactional(async (transaction) => {
        await connection.execute(
          `set local lock_timeout = ${lockTimeoutMs}`,
          [],
          'run',
          transaction,
        );
        await migrator.up({ migrations: [name], transaction });
      });
    } catch (error) {
      if (pgError(error)?.code !== lockNotAvailable) throw error;
      if (attempt === attempts)
        throw new MigrationBlocked(await explain(new Database(em), name, attempts));
      await delay(pause);
    }
  }
}

const lockNotAvailable = '55P03';

/** Reports the longest transactions, without their statements, which may contain secrets. */
async function explain(db: Database, name: string, attempts: number): Promise<string> {
  const others = await db.query<{ pid: number; line: string }>(
    `select pid, format('  process %s, %s, %s, since %s', pid, coalesce(nullif(application_name, ''), usename), state, xact_start) as line
     from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and xact_start < now() - interval '1 second'
       and not pid in (select pid from pg_locks where locktype = 'advisory' and objid = hashtext('lanyard migrate')::oid and granted)
     order by xact_start limit 5`,
  );
  const held =
    others.length > 0
      ? `These transactions have been open the longest:\n${others.map(({ line }) => line).join('\n')}\n`
      : '';
  return `The migration ${name} could not lock the tables that it changes in ${attempts} attempts, because other transactions hold them.
Nothing of it was applied; the server continues as before.
${held}Let them end, or end them with "select pg_terminate_backend(PROCESS)"; then run "npm run migrate" again.`;
}

/** The names of the pending migrations. */
export const pendingMigrations = (orm: MikroORM): Promise<string[]> =>
  pendingOf(new Migrator(orm.em));

const pendingOf = async (migrator: Migrator): Promise<string[]> =>
  (await migrator.getPending()).map(({ name }) => name);
