/** Settings of a session: UTC, and time limits. */
import pg from 'pg';
import { ConfigError } from '../config.js';

/** Maximum duration of a write in milliseconds, from its first statement to its commit. */
export const writeLimit = 10_000;

/** `server_version_num` of the oldest supported PostgreSQL. */
export const oldestVersion = 150_000;

/**
 * Time limits of a session, in milliseconds. PostgreSQL before 17 limits statements and idle time,
 * but no transaction as a whole.
 */
const limitsOf = (version: number): Readonly<Record<string, number>> => ({
  statement_timeout: writeLimit,
  idle_in_transaction_session_timeout: writeLimit,
  lock_timeout: writeLimit / 2,
  ...(version >= 170_000 && { transaction_timeout: writeLimit }),
});

const texts = { timezone: 'UTC', datestyle: 'ISO' };

/**
 * Plans a statement once per session: planning takes longer than reading a page. The generic plan
 * suits any value, since a statement contains only the conditions that were requested. Without
 * effect through a pooler, where nothing is prepared.
 */
const planning = { plan_cache_mode: 'force_generic_plan' };

/**
 * On a cluster a plan depends on the organization, which decides the node. `set local` applies to
 * the workers too.
 */
const distributedPlanning = { 'citus.propagate_set_commands': 'local' };

/** A PostgreSQL server. */
export interface Server {
  /** `server_version_num`: PostgreSQL refuses a session that names an unknown setting. */
  readonly version: number;
  /** Whether it coordinates a cluster over which the tables are distributed (distribution.ts). */
  readonly isDistributed: boolean;
}

/**
 * Startup settings of a session. Limits that are not wanted are set to 0, since the role may have
 * them.
 */
export function startOptions({ version, isDistributed }: Server, timeLimits: boolean): string {
  const limits = Object.entries(limitsOf(version)).map(([name, value]) => [
    name,
    timeLimits ? value : 0,
  ]);
  const plans = isDistributed ? distributedPlanning : planning;
  return [...Object.entries({ ...texts, ...plans }), ...limits]
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/**
 * Settings that a pooled session lacks. A pooler accepts no startup settings, and `SET` would leak
 * into another client's session, so the role must have them.
 * @param session Settings of the session, by name.
 * @returns The settings that its role needs, as `name = value`. A lower limit than ours is
 * accepted.
 */
function missingSettings(version: number, session: Readonly<Record<string, string>>): string[] {
  const given = (name: string) => session[name] ?? '';
  const wrong = Object.entries(texts).filter(
    ([name, value]) => given(name).split(',')[0] !== value,
  );
  const unlimited = Object.entries(limitsOf(version)).filter(
    ([name, most]) => !(Number(given(name)) > 0 && Number(given(name)) <= most),
  );
  return [...wrong, ...unlimited].map(([name, value]) => `${name} = '${value}'`);
}

interface Session extends Server {
  readonly hasCitus: boolean;
  readonly role: string;
  readonly database: string;
  /** Times are in milliseconds. */
  readonly settings: Readonly<Record<string, string>>;
}

/** `reference_clocks` exists only on the coordinator of a cluster. */
const sessionStatement = `
  select to_regclass('reference_clocks') is not null as "isDistributed", to_regclass('pg_dist_local_group') is not null as "hasCitus", current_setting('server_version_num')::int as version, current_user as role, current_database() as database,
    (select json_object_agg(lower(name), setting) from pg_settings) as settings`;

/**
 * @param isPooled Whether the URL leads through a pooler in transaction mode.
 * @throws when PostgreSQL is unreachable, refuses the connection, or is older than 15.
 * @throws {ConfigError} when the role behind a pooler lacks settings, or for the worker of a cluster.
 */
export async function checkServer(url: string, isPooled: boolean): Promise<Server> {
  const client = new pg.Client(url);
  // A lost connection also fails its query; an `error` event without a listener would end the
  // process.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<Session>(sessionStatement);
    const { version, role, database, settings, isDistributed, hasCitus } = rows[0] as Session;
    if (version < oldestVersion)
      throw new Error(
        `Lanyard needs PostgreSQL 15 or later; this one is ${Math.floor(version / 10_000)}`,
      );
    if (hasCitus) await requireCoordinator(client);
    if (isDistributed && isPooled)
      throw new ConfigError(
        'Lanyard on a Citus cluster needs a direct connection to the coordinator: leave DATABASE_DIRECT_URL out.',
      );
    const missing = isPooled ? missingSettings(version, settings) : [];
    if (missing.length === 0) return { version, isDistributed };
    const statements = missing.map(
      (setting) => `  alter role "${role}" in database "${database}" set ${setting};`,
    );
    throw new ConfigError(
      `Behind a pooler the role must have these settings. Run, then let the pooler reconnect:\n${statements.join('\n')}`,
    );
  } finally {
    await client.end();
  }
}

/** Workers have no tables of the coordinator, and would issue versions of their own. */
async function requireCoordinator(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select from pg_dist_local_group where groupid <> 0');
  if (rows.length > 0)
    throw new ConfigError(
      'The database is a worker of a Citus cluster: use the address of the coordinator.',
    );
}
