/**
 * Backs up a running embedded PostgreSQL without a pause, and restores the copy to verify it. npm
 * brings neither pg_basebackup nor pg_dump, so this is PostgreSQL's low-level backup: the files as
 * they are, and the write-ahead log from which they become consistent.
 */
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { launch, layout, makeFolder, syncCluster, urlOf } from './cluster.js';
import { digestsOf, type TableDigest } from './digests.js';
import { shutDown } from './postmaster.js';
import { ownerOf, type User } from './user.js';

/** The copy, restored, differs from the database. */
export class BackupDiffers extends Error {}

/** Folders whose contents belong to the running server. */
const emptied: ReadonlySet<string> = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);

/** Files of the running server, and temporary ones. */
const omitted =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|pg_internal\.init.*|pgsql_tmp.*)$/;

export interface BackupSteps {
  /** Called at the begin of each step; throws to stop. */
  readonly onStep: (step: 'copying' | 'restoring' | 'comparing') => void;
}

/**
 * Backs up the PostgreSQL that runs in `directory` to a new folder, in the layout of a data
 * directory. Nothing remains of a backup that fails.
 * @returns The tables, as compared.
 * @throws {BackupDiffers}
 */
export async function backUp(
  directory: string,
  target: string,
  { onStep }: BackupSteps,
): Promise<TableDigest[]> {
  const partial = `${target}.partial-${process.pid}`;
  makeFolder(dirname(target));
  mkdirSync(partial, { mode: 0o755 });
  const source = await urlOf(directory, 'lanyard');
  const [session, snapshot] = [new pg.Client(source), new pg.Client(source)];
  for (const client of [session, snapshot]) client.on('error', () => {});
  try {
    onStep('copying');
    await session.connect();
    await snapshot.connect();
    await copyTo(directory, partial, session, snapshot);
    onStep('restoring');
    await launch(partial, { settings: { archive_mode: 'off' } });
    onStep('comparing');
    const restored = new pg.Client(await urlOf(partial, 'lanyard'));
    let digests: TableDigest[];
    try {
      await restored.connect();
      digests = await compare(snapshot, restored);
    } finally {
      await restored.end().catch(() => {});
      await shutDown(layout(partial).cluster);
    }
    await syncCluster(layout(partial).cluster);
    rmSync(layout(partial).log, { force: true });
    // An empty folder of that name is replaced; any other is not.
    renameSync(partial, target);
    return digests;
  } catch (error) {
    await shutDown(join(layout(partial).home, 'cluster'));
    rmSync(partial, { recursive: true, force: true });
    throw error;
  } finally {
    for (const client of [session, snapshot]) await client.end().catch(() => {});
  }
}

async function copyTo(
  directory: string,
  partial: string,
  session: pg.Client,
  snapshot: pg.Client,
): Promise<void> {
  const { cluster, password } = layout(directory);
  const owner = ownerOf(cluster);
  const copy = join(partial, 'cluster');
  // Both end with the session: the slot, which keeps the log, and the state of a backup.
  await session.query(
    `select pg_create_physical_replication_slot('lanyard_backup_' || pg_backend_pid(), true, true)`,
  );
  const { rows } = await session.query(
    `select pg_walfile_name(pg_backup_start('lanyard backup', true)) as first`,
  );
  const files = new Files(owner);
  files.copyFolder(cluster, copy);
  files.copy(password, join(partial, 'password'));
  const { label, last } = await stopBackup(session, snapshot);
  files.write(join(copy, 'backup_label'), label);
  for (const name of readdirSync(join(cluster, 'pg_wal'))) {
    const isSegment = /^[\dA-F]{24}$/.test(name) && name >= rows[0].first && name <= last;
    if (isSegment || name.endsWith('.history'))
      files.copy(join(cluster, 'pg_wal', name), join(copy, 'pg_wal', name));
  }
}

/**
 * Ends the backup at a moment at which nothing is written, and leaves `snapshot` in a transaction
 * that sees exactly what the backup has. Writers wait for some milliseconds.
 */
async function stopBackup(
  session: pg.Client,
  snapshot: pg.Client,
): Promise<{ readonly label: string; readonly last: string }> {
  const { host, port, user, password, database } = session;
  const locker = new pg.Client({
    host,
    port,
    user: user ?? '',
    password: password ?? '',
    database: database ?? '',
  });
  locker.on('error', () => {});
  await locker.connect();
  try {
    await locker.query('begin isolation level repeatable read');
    await locker.query(`set local lock_timeout = '15s'`);
    const { rows: tables } = await locker.query<{ list: string }>(
      `select string_agg(format('%I.%I', schemaname, tablename), ', ') as list from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    await locker.query('rollback and chain');
    await locker.query(`set local lock_timeout = '15s'`);
    await locker.query(`lock table ${tables[0]?.list} in share mode`);
    const { rows: exported } = await locker.query('select pg_export_snapshot() as id');
    await snapshot.query('begin isolation level repeatable read read only');
    await snapshot.query(`set transaction snapshot '${exported[0].id}'`);
    const { rows } = await session.query(
      'select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
    );
    return rows[0];
  } finally {
    await locker.end();
  }
}

async function compare(snapshot: pg.Client, restored: pg.Client): Promise<TableDigest[]> {
  const [expected, found] = [await digestsOf(snapshot), await digestsOf(restored)];
  for (const [index, table] of expected.entries()) {
    const other = found[index];
    if (other?.name !== table.name || other.rows !== table.rows || other.digest !== table.digest)
      throw new BackupDiffers(
        `The backup was restored, and its table ${table.name} differs from the database. The backup was deleted.`,
      );
  }
  if (found.length !== expected.length) throw new BackupDiffers('The backup has other tables.');
  return found;
}

/** Copies files for an owner. */
class Files {
  constructor(private readonly owner: User | undefined) {}

  copyFolder(from: string, to: string): void {
    mkdirSync(to, { mode: 0o700 });
    this.own(to);
    if (emptied.has(basename(from))) return;
    for (const entry of readdirSync(from, { withFileTypes: true })) {
      const { name } = entry;
      if (omitted.test(name)) continue;
      if (entry.isSymbolicLink())
        throw new Error(`${join(from, name)} is a link; the embedded database has no tablespaces.`);
      if (entry.isDirectory()) this.copyFolder(join(from, name), join(to, name));
      else this.copy(join(from, name), join(to, name));
    }
  }

  /** A file may disappear with its table; the log has the rest. */
  copy(from: string, to: string): void {
    try {
      copyFileSync(from, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    chmodSync(to, 0o600);
    this.own(to);
  }

  write(path: string, text: string): void {
    writeFileSync(path, text, { mode: 0o600 });
    this.own(path);
  }

  private own(path: string): void {
    if (this.owner) chownSync(path, this.owner.uid, this.owner.gid);
  }
}

/** Whether a backup may be made there: it does not exist, or is an empty folder. */
export function isFree(target: string): boolean {
  const found = statSync(target, { throwIfNoEntry: false });
  return !found || (found.isDirectory() && readdirSync(target).length === 0);
}
