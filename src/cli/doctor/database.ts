/** Checks the primary: version, rights of the role, and settings. */

import { oldestVersion } from '../../database/session.js';
import type { Client } from '../../database/wire/client.js';
import { type Finding, failure, ok, orOk, warning } from './finding.js';
import { one } from './session.js';

interface Facts {
  readonly version: number;
  readonly release: string;
  readonly isStandby: boolean;
  readonly role: string;
  readonly isSuperuser: boolean;
  readonly mayCreate: boolean;
  readonly connections: number;
  readonly settings: Readonly<Record<string, string>>;
}

const factsStatement = `
  select current_setting('server_version_num')::int as version, current_setting('server_version') as release, pg_is_in_recovery() as "isStandby",
    current_user as role, r.rolsuper as "isSuperuser",
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
    least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
      nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1)) as connections,
    (select json_object_agg(name, setting) from pg_settings) as settings
  from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`;

/**
 * Privileges that the servers' role needs on every table: history is append-only, and migrations
 * run by "lanyard migrate".
 */
const lackingStatement = `
  select relname as "table", string_agg(privilege, ', ') as privileges
  from pg_class, unnest(array['select', 'insert', 'update', 'delete']) privilege
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not has_table_privilege(oid, privilege)
    and not (privilege in ('update', 'delete') and relname in ('audit_events', 'certification_history'))
    and not (privilege <> 'select' and relname = 'migrations')
  group by relname order by relname`;

/** The required value of each setting, and the consequence of another. */
const settings = [
  ['fsync', 'on', failure, 'a crash of the machine may corrupt the database'],
  ['full_page_writes', 'on', failure, 'a crash of the machine may corrupt the database'],
  ['server_encoding', 'UTF8', failure, 'names in other scripts are refused'],
  [
    'synchronous_commit',
    /^(on|local|remote_\w+)$/,
    warning,
    'a crash may lose writes that were acknowledged',
  ],
  ['autovacuum', 'on', warning, 'tables grow, and reads become slow'],
  ['default_transaction_read_only', 'off', failure, 'nothing can be written'],
  ['default_transaction_isolation', 'read committed', warning, 'concurrent writes fail more often'],
] as const;

/**
 * @param poolSize Connections of each server.
 * @param isEmbedded Whether it is the embedded PostgreSQL, whose role owns everything.
 */
export async function checkDatabase(
  client: Client,
  poolSize: number,
  isEmbedded: boolean,
): Promise<Finding[]> {
  const facts = await one<Facts>(client, factsStatement);
  const { version, release, isStandby } = facts;
  if (version < oldestVersion) {
    return [
      failure(
        'database',
        `it is PostgreSQL ${release}`,
        'Upgrade it: Lanyard needs PostgreSQL 15 or later.',
      ),
    ];
  }
  if (isStandby)
    return [
      failure(
        'database',
        'it is a standby, which is read-only',
        'Set DATABASE_URL to the primary.',
      ),
    ];
  return [
    ok('database', `PostgreSQL ${release}, the primary`),
    ...(await checkRights(client, facts, isEmbedded)),
    ...checkSettings(facts, poolSize),
    await checkClock(client),
  ];
}

async function checkRights(
  client: Client,
  { role, isSuperuser, mayCreate }: Facts,
  isEmbedded: boolean,
): Promise<readonly Finding[]> {
  const check = 'rights';
  const { rows } = await client.query<{ table: string; privileges: string }>(lackingStatement);
  const lacking = rows.map(({ table, privileges }) =>
    failure(
      check,
      `${role} lacks ${privileges} on ${table}`,
      `grant ${privileges} on ${table} to "${role}";`,
    ),
  );
  if (!mayCreate) {
    const remedy = `grant create on schema public to "${role}"; or run migrations with the DATABASE_URL of a role that has this privilege.`;
    lacking.push(
      warning(check, `${role} may not create tables, as "lanyard migrate" must`, remedy),
    );
  }
  if (isSuperuser && !isEmbedded) {
    lacking.push(
      warning(
        check,
        `${role} is a superuser: it has far more privileges than Lanyard needs`,
        'Give Lanyard its own role, which owns only its database.',
      ),
    );
  }
  return orOk(lacking, check, `${role} has the privileges that Lanyard needs`);
}

function checkSettings(
  { settings: values, connections }: Facts,
  poolSize: number,
): readonly Finding[] {
  const check = 'settings';
  const wrong = settings.flatMap(([name, wanted, found, otherwise]) => {
    const value = values[name] ?? '';
    if (typeof wanted === 'string' ? value === wanted : wanted.test(value)) return [];
    const best = typeof wanted === 'string' ? wanted : 'on';
    const remedy =
      name === 'server_encoding'
        ? 'Create a new database with the encoding UTF8.'
        : `Set ${name} to ${best}, for the server and the role.`;
    return [found(check, `${name} is ${value}: ${otherwise}`, remedy)];
  });
  if (poolSize + 1 > connections) {
    wrong.push(
      failure(
        check,
        `a server takes up to ${poolSize + 1} connections, and PostgreSQL gives the role ${connections}`,
        'Lower DATABASE_POOL_SIZE, or raise max_connections or the limit of the role or database.',
      ),
    );
  }
  return orOk(
    wrong,
    check,
    `durable, with ${connections} connections for servers of ${poolSize + 1}`,
  );
}

/**
 * Milliseconds of clock difference that cause a warning, and those that cause valid tokens to be
 * refused.
 */
const [noticeable, harmful] = [1000, 60_000];

async function checkClock(client: Client): Promise<Finding> {
  const check = 'clock';
  const before = Date.now();
  const { now } = await one<{ now: number }>(
    client,
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  );
  const after = Date.now();
  // PostgreSQL read its clock between the two.
  const difference = now < before ? now - before : Math.max(now - after, 0);
  const found = `PostgreSQL's clock is ${Math.abs(difference / 1000).toFixed(1)} s ${difference < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (Math.abs(difference) <= noticeable) return ok(check, found);
  return (Math.abs(difference) > harmful ? failure : warning)(
    check,
    found,
    'Run NTP on both machines, and let it slew the clocks.',
  );
}
