import type { Logger } from 'pino';
import type { Principal } from './auth/policy.js';
import type { Config } from './config.js';
import type { Database } from './database/connection.js';

/** What one request carries from the edge to the rows. */
export interface Context {
  readonly config: Config;
  /** The pool; inside a mutation, its transaction. */
  readonly db: Database;
  /** Who is asking; undefined only where no token is needed (introspection). */
  readonly principal: Principal | undefined;
  readonly requestId: string;
  readonly log: Logger;
  /** The UTC day that validity refers to, `YYYY-MM-DD`. */
  readonly today: string;
  /** Batches of this request, by field. */
  readonly loaders: Map<unknown, unknown>;
}
