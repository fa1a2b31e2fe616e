/** Server processes on one database, as a balancer has them behind it. */
import { issueToken } from '../../src/auth/tokens.js';
import { readConfig } from '../../src/config.js';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { entities } from '../../src/entities/tables.js';
import { bothEmail } from '../support/names.js';
import { freePort, type Server, startServer } from '../support/server.js';
import { untilEnd } from '../support/until-end.js';

/** What the servers call themselves in tokens. */
export const baseUrl = 'http://127.0.0.1:4000';

/**
 * How often or how long a fault is tried: the first in every run of the tests, the second with
 * FAULTS=large.
 */
export const sized = (usual: number, large: number): number =>
  process.env.FAULTS === 'large' ? large : usual;

/** How the test's own connections call themselves; those of the servers have no name. */
export const testName = 'test';

export interface Fleet extends AsyncDisposable {
  /** The servers' addresses; each stays the same through restarts. */
  readonly bases: readonly string[];
  readonly servers: Server[];
  /** A connection of the test's own, past whatever stands between servers and database. */
  readonly db: Database;
  /** Of a person in two organizations. */
  readonly token: string;
  /** Starts a server that has ended anew, at its address. */
  restart(number: number): Promise<void>;
}

export interface FleetOptions {
  /** How the servers reach the database, where that is another way than the test's own. */
  readonly serverUrl?: string;
  readonly environment?: Record<string, string>;
  /** How many servers; left out, two. */
  readonly size?: number;
}

/** Starts the servers for a test file; they end after its last test. */
export async function startFleet(...given: Parameters<typeof openFleet>): Promise<Fleet> {
  return untilEnd(await openFleet(...given));
}

/** Starts the servers for one test, with `await using`. */
export async function openFleet(
  url: string,
  { serverUrl = url, environment = {}, size = 2 }: FleetOptions = {},
): Promise<Fleet> {
  const all = { DATABASE_URL: serverUrl, BASE_URL: baseUrl, LOG_LEVEL: 'error', ...environment };
  const own = new URL(url);
  own.searchParams.set('application_name', testName);
  const orm = await connect(own.href, { poolSize: 3, entities, timeLimits: false });
  const db = new Database(orm.em);
  const servers: Server[] = [];
  const dispose = async () => {
    await Promise.all(servers.map(({ child, ended }) => child.kill('SIGKILL') && ended));
    await orm.close();
  };
  const token = await issueToken(
    db,
    readConfig({ BASE_URL: baseUrl }),
    bothEmail,
    'demo-dashboard',
  );
  const ports = await Promise.all(Array.from({ length: size }, () => freePort()));
  servers.push(...(await Promise.all(ports.map((port) => startServer(all, port)))));
  return {
    bases: servers.map(({ base }) => base),
    servers,
    db,
    token,
    async restart(number) {
      servers[number] = await startServer(all, ports[number]);
    },
    [Symbol.asyncDispose]: dispose,
  };
}
