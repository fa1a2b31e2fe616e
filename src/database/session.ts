/** What a session starts with: UTC, and limits of time. */
import pg from 'pg';
import { ConfigError } from '../config.js';

/** Milliseconds that a write may take, from its first statement to its commit. */
export const writeLimit = 10_000;

/** What `server_version_num` of the oldest PostgreSQL that we support says. */
export const oldestVersion = 150_000;

/** Time limits of a session, in milliseconds. Before 17 none limits a transaction as a whole, only its statements and pauses. */
const limitsOf = (version: number): Readonly<Record<string, number>> => ({
  statement_timeout: writeLimit,
  idle_in_transaction_session_timeout: writeLimit,
  lock_timeout: writeLimit / 2,
  ...(version >= 170_000 && { transaction_timeout: writeLimit }),
});

const texts = { timezone: 'UTC', datestyle: 'ISO' };

/**
 * A statement is planned once in a session, not at each use: planning takes longer than reading a page. It is good for any value, since a statement has
 * no more in it than was asked for. Through a pooler nothing is prepared, and this would change nothing.
 */
const planning = { plan_cache_mode: 'force_generic_plan' };

/** Settings of a session, sent as it starts. Limits that are not wanted are lifted, since the role may have them. */
export function startOptions(version: number, timeLimits: boolean): string {
  const limits = Object.entries(limitsOf(version)).map(([name, value]) => [name, timeLimits ? value : 0]);
  return [...Object.entries({ ...texts, ...planning }), ...limits].map(([name, value]) => `-c ${name}=${value}`).join(' ');
}

/**
 * What a session lacks that came through a pooler and so couldn't be told anything at its start; a SET would stay with a session that is somebody
 * else's next.
 * @param session What the session has, by name.
 * @returns The settings that its role needs, as `name = value`. A limit may be lower than ours, too.
 */
function missingSettings(version: number, session: Readonly<Record<string, string>>): string[] {
  const given = (name: string) => session[name] ?? '';
  const wrong = Object.entries(texts).filter(([name, value]) => given(name).split(',')[0] !== value);
  const unlimited = Object.entries(limitsOf(version)).filter(([name, most]) => !(Number(given(name)) > 0 && Number(given(name)) <= most));
  return [...wrong, ...unlimited].map(([name, value]) => `${name} = '${value}'`);
}

interface Session {
  readonly version: number;
  readonly role: string;
  readonly database: string;
  /** Times in milliseconds. */
  readonly settings: Readonly<Record<string, string>>;
}

const sessionStatement = `
  select current_setting('server_version_num')::int as version, current_user as role, current_database() as database,
    (select json_object_agg(lower(name), setting) from pg_settings) as settings`;

/**
 * What `server_version_num` says.
 * @param isPooled Whether the URL leads through a pooler in transaction mode.
 * @throws when PostgreSQL can't be reached, refuses us, or is older than 15.
 * @throws {ConfigError} when the role behind a pooler lacks settings.
 */
export async function checkServer(url: string, isPooled: boolean): Promise<number> {
  const client = new pg.Client(url);
  // A connection that dies fails its query, too; unheard, the event would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<Session>(sessionStatement);
    const { version, role, database, settings } = rows[0] as Session;
    if (version < oldestVersion) throw new Error(`Lanyard needs PostgreSQL 15 or later; this one is ${Math.floor(version / 10_000)}`);
    const missing = isPooled ? missingSettings(version, settings) : [];
    if (missing.length === 0) return version;
    const statements = missing.map((setting) => `  alter role "${role}" in database "${database}" set ${setting};`);
    throw new ConfigError(
      `Behind a pooler the role must have these settings. Run, then let the pooler reconnect:\n${statements.join('\n')}`,
    );
  } finally {
    await client.end();
  }
}
