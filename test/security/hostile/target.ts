/**
 * The server that is attacked: a process of its own, with little memory, over a database of its
 * own.
 */
import pg from 'pg';
import { callLanyard } from '../../support/command.js';
import { createDatabase } from '../../support/database.js';
import { managerEmail, qualificationId, skyline } from '../../support/names.js';
import { type Server, startServer } from '../../support/server.js';
import type { Attacker } from './attack.js';

export interface Target {
  readonly server: Server;
  /** Its database, past it. */
  readonly db: pg.Client;
  readonly attacker: Attacker;
}

/** Starts it for a test file; it stops after the file's last test. */
export async function startTarget(): Promise<Target> {
  const database = await createDatabase();
  const server = await startServer({
    DATABASE_URL: database.url,
    NODE_OPTIONS: '--max-old-space-size=256',
  });
  const db = new pg.Client(database.url);
  await db.connect();
  afterAll(async () => {
    await db.end();
    server.child.kill('SIGTERM');
    await server.ended;
    await database.drop();
  });
  return { server, db, attacker: await prepare(server.base, database.url) };
}

async function prepare(base: string, databaseUrl: string): Promise<Attacker> {
  const { host, port } = new URL(base);
  const printed = await callLanyard(['token', '--user', managerEmail, '--app', 'demo-dashboard'], {
    DATABASE_URL: databaseUrl,
    PORT: port,
  });
  expect([printed.stderr, printed.code]).toStrictEqual([printed.stderr, 0]);
  const page = await fetch(`${base}/portal/sign-in`);
  const [cookie = ''] = page.headers.getSetCookie().map((each) => each.split(';')[0]);
  const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
  expect(cookie && csrf).toBeTruthy();
  const qualification = `${skyline}/qualifications/${qualificationId('night-crew')}`;
  return { host, token: printed.stdout.trim(), organization: skyline, qualification, cookie, csrf };
}
