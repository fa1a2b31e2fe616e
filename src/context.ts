import type { Logger } from 'pino';
import type { Principal } from './auth/policy.js';
import type { Presumption } from './auth/presumption.js';
import type { Config } from './config.js';
import type { Database } from './database/connection.js';
import type { Standby } from './database/standby.js';

/** What one request carries from the edge to the rows. */
export interface Context {
  readonly config: Config;
  /** The pool; inside a mutation, its transaction. */
  readonly db: Database;
  /** Where a query may be read instead, if the caller allowed it and there is one. */
  readonly standby?: Standby | undefined;
  /** Who is asking; undefined only where no token is needed (introspection). */
  readonly principal: Principal | undefined;
  /** Undefined where the principal was looked up before. */
  readonly presumption?: Presumption | undefined;
  readonly requestId: string;
  readonly log: Logger;
  /** The UTC day that validity refers to, `YYYY-MM-DD`. */
  readonly today: string;
  /** Batches of this request, by field. */
  readonly loaders: Map<unknown, unknown>;
}
