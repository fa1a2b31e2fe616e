/**
 * Distributes the tables over a Citus cluster by organization, so that a write of an organization
 * is a transaction of one shard. What the records of all organizations are joined with is copied to
 * each node (a reference table). Everything else stays on the coordinator: sign-in works while a
 * worker is down.
 */
import type { MikroORM } from '@mikro-orm/postgresql';
import { ConfigError } from '../config.js';
import { Database } from './connection.js';
import {
  coordinatorTables,
  distributedTables,
  noOrganization,
  placements,
  referenceTables,
} from './placements.js';

/**
 * Versions on a cluster. The machines have clocks of their own, so every version is issued by the
 * coordinator: later than each one that was issued before, in whichever organization.
 *
 * `issued_versions` is the newest one, in microseconds since 1970. It is unlogged, because a logged
 * one would cost each write a flush of the coordinator's log: after a crash it starts from the
 * newest version in the clocks. `reference_clocks` repeats the version clocks for what
 * organizations have in reference tables, whose lists are read on the coordinator: there the
 * transactions in progress can be told from the rows' snapshot (graph/reads/keyset.ts).
 */
const versions = `
  create unlogged sequence if not exists issued_versions as bigint minvalue 0 start 0;
  create table if not exists reference_clocks (
    organization_id uuid primary key,
    ticked_at timestamptz not null
  );
  create or replace function issue_versions(previous timestamptz, count int) returns timestamptz language plpgsql volatile as $$
    declare
      version bigint;
    begin
      perform pg_advisory_lock(7526940);
      begin
        select last_value into version from issued_versions;
        if version = 0 then
          select coalesce(extract(epoch from max(ticked_at)) * 1000000, 0) into version from organization_clocks;
        end if;
        version := greatest(version + 1, extract(epoch from clock_timestamp()) * 1000000, extract(epoch from previous) * 1000000 + 1) + count - 1;
        perform setval('issued_versions', version);
      exception when query_canceled or others then
        perform pg_advisory_unlock(7526940);
        raise;
      end;
      perform pg_advisory_unlock(7526940);
      return timestamptz 'epoch' + version * interval '1 microsecond';
    end $$;
  create or replace function take_versions(organization uuid, count int, is_reference boolean) returns timestamptz language plpgsql volatile as $$
    declare
      previous timestamptz;
      version timestamptz;
    begin
      select ticked_at into previous from organization_clocks where organization_id = organization for no key update;
      if is_reference then
        perform 1 from reference_clocks where organization_id = organization for no key update;
      end if;
      version := issue_versions(previous, count);
      if previous is null then
        insert into organization_clocks (organization_id, ticked_at) values (organization, version);
      else
        update organization_clocks set ticked_at = version where organization_id = organization;
      end if;
      if is_reference then
        insert into reference_clocks (organization_id, ticked_at) values (organization, version)
          on conflict (organization_id) do update set ticked_at = excluded.ticked_at;
      end if;
      if exists (select from change_listeners where organization_id = organization and expires_at > now()) then
        perform pg_notify('lanyard_ticks', organization::text);
      end if;
      return version;
    end $$;`;

/**
 * What the primary key and the references of the audit need: its events can belong to no
 * organization, which is a row of no table.
 */
const auditKey = `
  alter table audit_events disable trigger user;
  alter table audit_events drop constraint audit_events_organization_id_fkey;
  update audit_events set organization_id = '${noOrganization}' where organization_id is null;
  alter table audit_events drop constraint audit_events_pkey, add primary key (organization_id, id);
  alter table audit_events enable trigger user;`;

/** Re-created when both of its tables are distributed. */
const historyReference = 'certification_history_organization_id_certification_id_fkey';

interface Node {
  readonly isDistributable: boolean;
  readonly isCoordinator: boolean;
  readonly hasShards: boolean;
}

/**
 * Distributes the tables that are not distributed yet, in one transaction: all, or those that later
 * migrations added.
 * @returns Their names.
 * @throws {ConfigError} when the database is not the coordinator of a Citus cluster.
 */
export const distribute = (orm: MikroORM): Promise<string[]> =>
  new Database(orm.em).transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('lanyard migrate'))`);
    await requireCoordinator(tx);
    // Reference tables that others reference are changed over one connection for each node.
    await tx.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
    await tx.query('set local citus.enable_unsafe_triggers = on');
    await tx.query('set local client_min_messages = warning');
    await tx.query(versions);
    const found = await knownTables(tx);
    const known = new Set(found.map(({ name }) => name));
    const present = distributedNames(found);
    const references = referenceTables.filter((table) => !present.has(table));
    const distributed = distributedTables.filter((table) => !present.has(table));
    const isFirst = distributed.length === distributedTables.length;
    if (isFirst) {
      await tx.query(auditKey);
      await tx.query(`alter table certification_history drop constraint ${historyReference}`);
    }
    const coordinated = coordinatorTables.filter((table) => !known.has(table));
    for (const table of coordinated)
      await tx.query(`select citus_add_local_table_to_metadata('${table}')`);
    for (const table of references) await tx.query(`select create_reference_table('${table}')`);
    for (const table of distributed) {
      const { by } = placements[table];
      const beside = table === 'organization_clocks' ? 'default' : 'organization_clocks';
      await tx.query(
        `select create_distributed_table('${table}', '${by}', colocate_with => '${beside}')`,
      );
    }
    await tx.query(
      'insert into reference_clocks select organization_id, ticked_at from organization_clocks on conflict (organization_id) do nothing',
    );
    if (isFirst) {
      await tx.query(
        `alter table certification_history add constraint ${historyReference} foreign key (organization_id, certification_id) references certifications`,
      );
    }
    return [...references, ...distributed];
  });

interface KnownTable {
  readonly name: string;
  readonly isDistributed: boolean;
}

/** The tables that Citus knows: also those of the coordinator that reference others. */
const knownTables = (db: Database) =>
  db.query<KnownTable>(
    `select logicalrelid::text as name, partmethod = 'h' or repmodel = 't' as "isDistributed" from pg_dist_partition`,
  );

const distributedNames = (tables: readonly KnownTable[]): ReadonlySet<string> =>
  new Set(tables.filter(({ isDistributed }) => isDistributed).map(({ name }) => name));

/** The tables that a release has added and `lanyard migrate` has not distributed yet. */
export async function undistributedTables(db: Database): Promise<string[]> {
  if (!db.isDistributed) return [];
  const present = distributedNames(await knownTables(db));
  return [...referenceTables, ...distributedTables].filter((table) => !present.has(table));
}

async function requireCoordinator(tx: Database): Promise<void> {
  const [extension] = await tx.query(`select from pg_extension where extname = 'citus'`);
  if (!extension)
    throw new ConfigError(
      'The database is not part of a Citus cluster: run "create extension citus" on all nodes, and citus_add_node for each worker.',
    );
  const [node] = await tx.query<Node>(
    `select (select groupid from pg_dist_local_group) = 0 as "isCoordinator",
       exists (select from pg_dist_node where groupid = 0) as "isDistributable",
       exists (select from pg_dist_node where shouldhaveshards) as "hasShards"`,
  );
  if (!node?.isCoordinator)
    throw new ConfigError(
      'DATABASE_URL names a worker of the Citus cluster: use the address of the coordinator.',
    );
  if (!node.isDistributable || !node.hasShards)
    throw new ConfigError(
      'The Citus cluster is incomplete: run citus_set_coordinator_host for the coordinator, and citus_add_node for each worker.',
    );
}
