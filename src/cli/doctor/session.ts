/** A short PostgreSQL session with the server's startup settings. */
import type pg from 'pg';
import { poolOptions } from '../../database/pool.js';
import { oldestVersion } from '../../database/session.js';
import { Client } from '../../database/wire/client.js';
import { type Finding, failure, messageOf } from './finding.js';

/** @param isPooled Whether the URL leads through a pooler in transaction mode. */
export async function withSession<T>(
  url: string,
  isPooled: boolean,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(
    poolOptions(url, {
      server: { version: oldestVersion, isDistributed: false },
      poolSize: 1,
      timeLimits: true,
      isPooled,
    }),
  );
  // A lost connection also fails its query; an `error` event without a listener would end the
  // process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The single row of a statement. */
export async function one<Row extends pg.QueryResultRow>(
  client: Client,
  sql: string,
  values: unknown[] = [],
): Promise<Row> {
  const { rows } = await client.query<Row>(sql, values);
  return rows[0] as Row;
}

/** Remedies by error message. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /unsupported startup parameter/,
    'It is the URL of a pooler: set DATABASE_DIRECT_URL to that of PostgreSQL (docs/scaling.md).',
  ],
  [/ECONNREFUSED/, 'Start PostgreSQL there, or fix host and port.'],
  [/ENOTFOUND|EAI_AGAIN/, 'Fix the host name, or its DNS.'],
  [
    /ETIMEDOUT|EHOSTUNREACH|timeout/,
    'Allow the connection: firewall, security group, network policy.',
  ],
  [
    /28P01|password/i,
    'Fix the user and the password in it; in a URL, special characters are percent-encoded.',
  ],
  [/28000/, 'Allow the role in pg_hba.conf, and create it if it is missing.'],
  [/3D000/, 'Create the database, or fix its name.'],
  [/42501/, 'Grant the role CONNECT on the database.'],
  [/53300/, 'End unused sessions, lower DATABASE_POOL_SIZE, or raise max_connections.'],
  [/57P03/, 'Wait until PostgreSQL has started.'],
  [/SSL|CERT|certificate/i, 'Fix sslmode and sslrootcert in it, or the certificate of the server.'],
];

/**
 * @param variable The one with the URL.
 * @param level The severity.
 */
export function unreachable(
  check: string,
  variable: string,
  error: unknown,
  level: typeof failure = failure,
): Finding {
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  const [, remedy = 'Correct the error in the message, then run this again.'] =
    remedies.find(([pattern]) => pattern.test(`${code} ${messageOf(error)}`)) ?? [];
  return level(check, `${variable}: ${messageOf(error)}`, remedy);
}
