/** A pgbouncer in transaction mode in front of the PostgreSQL of the tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '../../src/config.js';
import { connect } from '../../src/database/connect.js';
import { ensure, fail } from '../support/expect.js';
import { freePort } from '../support/server.js';

export interface Bouncer {
  /** The same database, by way of the pooler. */
  readonly url: string;
  /** Runs a command of its console. */
  readonly command: <Row extends pg.QueryResultRow>(command: string) => Promise<Row[]>;
  readonly stop: () => Promise<void>;
}

/** @param poolSize Sessions of PostgreSQL that all clients share. */
export async function startBouncer(directUrl: string, poolSize: number): Promise<Bouncer> {
  const { hostname, port: serverPort, username, password } = new URL(directUrl);
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'lanyard-pooler-'));
  const [users, file] = [join(directory, 'users.txt'), join(directory, 'pgbouncer.ini')];
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    admin_users: username,
    pool_mode: 'transaction',
    default_pool_size: poolSize,
    max_client_conn: 200,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(
    file,
    `[databases]\n* = host=${hostname} port=${serverPort}\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  // It doesn't run as root.
  for (const path of [directory, users, file]) chmodSync(path, 0o755);
  const child = spawn('pgbouncer', [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  while (!output.includes('process up')) {
    if (child.exitCode !== null) throw new Error(`pgbouncer didn't start:\n${output}`);
    await delay(10);
  }

  const urlOf = (pathname: string) => Object.assign(new URL(directUrl), { port, pathname }).href;
  return {
    url: urlOf(new URL(directUrl).pathname),
    async command<Row extends pg.QueryResultRow>(command: string) {
      const client = new pg.Client(urlOf('/pgbouncer'));
      await client.connect();
      try {
        return (await client.query<Row>(command)).rows;
      } finally {
        await client.end();
      }
    },
    async stop() {
      kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(directory, { recursive: true });
    },
  };
}

/** Gives the role what the server asks for when it refuses to start. @returns The statements. */
export async function settleRole(directUrl: string, { url, command }: Bouncer): Promise<string[]> {
  const refusal = await connect(url, { poolSize: 2, entities: [], isPooled: true }).then(
    () => fail('it should have been refused'),
    (error: unknown) => error,
  );
  ensure(refusal instanceof ConfigError, String(refusal));
  const statements = refusal.message.split('\n').slice(1);
  const client = new pg.Client(directUrl);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
  await command('RECONNECT');
  return statements;
}
