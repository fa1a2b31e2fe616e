/**
 * A server in a process of its own, with telemetry as its environment says, on a database of its
 * own.
 */
import { issueToken } from '../../src/auth/tokens.js';
import { readConfig } from '../../src/config.js';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { entities } from '../../src/entities/tables.js';
import { createDatabase } from '../support/database.js';
import { managerEmail } from '../support/names.js';
import { type Server, startServer } from '../support/server.js';

export interface ObservedServer extends Server, AsyncDisposable {
  /** Of its database. */
  readonly url: string;
  readonly token: string;
  /** @returns The exit code, and how many milliseconds the end took from SIGTERM. */
  stop(): Promise<{ readonly code: number | null; readonly milliseconds: number }>;
}

export async function startObserved(environment: Record<string, string>): Promise<ObservedServer> {
  const database = await createDatabase();
  const base = 'http://127.0.0.1:4000';
  const server = await startServer({
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    BASE_URL: base,
    ...environment,
  });
  const orm = await connect(database.url, { poolSize: 2, entities });
  const token = await issueToken(
    new Database(orm.em),
    readConfig({ BASE_URL: base }),
    managerEmail,
    'demo-dashboard',
  );
  await orm.close();
  const dispose = async () => {
    server.child.kill('SIGKILL');
    await server.ended;
    await database.drop();
  };
  const stop = async () => {
    const started = performance.now();
    server.child.kill('SIGTERM');
    return { code: await server.ended, milliseconds: performance.now() - started };
  };
  return { ...server, url: database.url, token, stop, [Symbol.asyncDispose]: dispose };
}
