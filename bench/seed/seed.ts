/**
 * The seeded database: made once for a scale, a schema and a seed, kept, and copied for each run.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { ensureKeys } from '../../src/auth/key-store.js';
import { hashPassword } from '../../src/auth/password.js';
import { readConfig } from '../../src/config.js';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { migrate, migrations } from '../../src/database/migrate.js';
import { demoPassword } from '../../src/demo/people.js';
import { entities } from '../../src/entities/tables.js';
import { packageRoot } from '../../src/root.js';
import { functions, type Statement, sizeOf } from './shape.js';
import { managerCount, statementsOf } from './statements.js';

/** Rows of one portion: often enough to see that it goes on. */
const portion = 200_000;

export type Say = (line: string) => void;

const databaseUrl = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: `/${name}` }).href;

export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Changes with whatever decides what the seeded database holds. */
function fingerprint(scale: number): string {
  const files = ['migrations', 'seed'].flatMap((name) => {
    const folder = join(
      packageRoot,
      'dist',
      name === 'seed' ? 'bench/seed' : 'src/database/migrations',
    );
    return readdirSync(folder, { encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .sort()
      .map((file) => join(folder, file));
  });
  const hash = createHash('sha256').update(String(scale));
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

export interface Copy {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * A copy of the seeded database, to be spoilt; the seeded one is made first where it isn't there
 * yet, in place of an older one of the scale.
 * @param server Any database of the server, for a superuser.
 */
export async function seededCopy(server: string, scale: number, say: Say): Promise<Copy> {
  const family = `bench_seed_${String(scale).replace('.', '_')}_`;
  const name = family + fingerprint(scale);
  const copy = `bench_run_${process.pid}_${String(scale).replace('.', '_')}`;
  const administer = (...statements: string[]) =>
    withClient(server, async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  const { rows } = await withClient(server, (client) =>
    client.query<{ datname: string }>('select datname from pg_database'),
  );
  const present = rows.map(({ datname }) => datname);
  if (!present.includes(name)) {
    for (const old of present.filter((each) => each.startsWith(family) || each === `${family}new`))
      await administer(`drop database ${old} with (force)`);
    await administer(`create database ${family}new`);
    await fill(databaseUrl(server, `${family}new`), scale, say);
    await administer(`alter database ${family}new rename to ${name}`);
  }
  await administer(
    `drop database if exists ${copy} with (force)`,
    `create database ${copy} template ${name} strategy file_copy`,
    'checkpoint',
  );
  return {
    url: databaseUrl(server, copy),
    drop: () => administer(`drop database ${copy} with (force)`),
  };
}

async function fill(url: string, scale: number, say: Say): Promise<void> {
  const orm = await connect(url, { poolSize: 3, entities, migrations, timeLimits: false });
  try {
    await migrate(orm);
    await ensureKeys(new Database(orm.em), readConfig({}));
  } finally {
    await orm.close();
  }
  await withClient(url, async (client) => {
    // References hold by the way that rows are made; checking each would take most of the time.
    await client.query(
      `set session_replication_role = replica; set timezone = 'UTC'; set synchronous_commit = off`,
    );
    await client.query(functions);
    for (const statement of statementsOf(sizeOf(scale))) await run(client, statement, say);
    await client.query(
      `update users set password_hash = $1 where id in (select bench.uid('user', n) from generate_series(1, ${managerCount}) n)`,
      [await hashPassword(demoPassword)],
    );
    say('vacuum and analyze');
    await client.query('vacuum (freeze, analyze)');
  });
}

async function run(client: pg.Client, { fills, sql, rows }: Statement, say: Say): Promise<void> {
  const started = performance.now();
  const after = () => `after ${((performance.now() - started) / 1000).toFixed(1)} s`;
  if (rows === undefined) {
    const { rowCount } = await client.query(sql);
    return say(`${fills}: ${rowCount} rows ${after()}`);
  }
  for (let from = 1; from <= rows; from += portion) {
    const until = Math.min(rows, from + portion - 1);
    await client.query(sql, [from, until]);
    say(`${fills}: ${until} of ${rows} rows ${after()}`);
  }
}
