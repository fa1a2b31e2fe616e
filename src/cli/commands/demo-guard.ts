/** Guards demo data, whose people have a public password. */
import { type Config, ConfigError, isLoopback } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { type DemoTraces, findDemo } from '../../demo/traces.js';

/** Whether a new embedded PostgreSQL gets demo data at its first start. */
export const hasDemoData = ({ NODE_ENV, DEMO_DATA }: Config): boolean =>
  NODE_ENV !== 'production' && DEMO_DATA !== 'none';

/** @throws {ConfigError} when other machines can reach the server, unless DEMO_DATA allows it. */
export function requirePrivate({ HOST, BASE_URL, DEMO_DATA }: Config): void {
  const { hostname } = new URL(BASE_URL);
  const open = !isLoopback(HOST)
    ? `HOST is ${HOST}`
    : !isLoopback(hostname) && `BASE_URL is ${BASE_URL}`;
  if (!open || DEMO_DATA === 'public') return;
  throw new ConfigError(
    `Lanyard does not start with demo data where others can reach it: ${open}, and the password of the demo people is public.\nOmit HOST and BASE_URL to serve only this machine; or set DATA_DIR or DATABASE_URL to a place without demo data, and DEMO_DATA to none; or set DEMO_DATA=public if they may sign in.`,
  );
}

/**
 * Finds traces of the demo set.
 * @throws {ConfigError} when it must not be served: to other machines in development, or from the
 * embedded PostgreSQL in production.
 */
export async function guardDemo(
  db: Database,
  config: Config,
  isEmbedded: boolean,
): Promise<DemoTraces> {
  const demo = await findDemo((sql, values) => db.query(sql, values));
  if (demo.people === 0) return demo;
  if (config.NODE_ENV !== 'production') requirePrivate(config);
  else if (isEmbedded) {
    throw new ConfigError(
      `The database in ${config.DATA_DIR} has demo people, whose password is public. Set DATA_DIR to a new folder for production.`,
    );
  }
  return demo;
}
