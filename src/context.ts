import type { Logger } from 'pino';
import type { Principal, Written } from './auth/policy.js';
import type { Authentication } from './auth/principal-lookup.js';
import type { Config } from './config.js';
import type { Database } from './database/connection.js';
import type { Standby } from './database/standby.js';

/** The context of one request. */
export interface Context {
  readonly config: Config;
  /** The pool or, in a mutation, its transaction. */
  readonly db: Database;
  /** A standby for queries; undefined when there is none or the caller did not allow it. */
  readonly standby?: Standby | undefined;
  /** The authenticated caller; undefined only for introspection, which needs no token. */
  readonly principal: Principal | undefined;
  /**
   * Confirms that the principal still matches the token. Must be checked before any response;
   * undefined when already confirmed.
   */
  readonly authentication?: Authentication | undefined;
  /**
   * Charges additional requests to the caller's rate limit, for an operation that counts as
   * several. Undefined when nothing is counted.
   */
  readonly charge?: ((points: number) => Promise<void>) | undefined;
  /**
   * Runs CPU-intensive work in the caller's turn. Undefined when the request already has its turn.
   */
  readonly inTurn?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
  /** Whether a mutation runs only to detect denied access (graph/execution/execute.ts). */
  readonly isRehearsal?: boolean;
  /** The organization that the mutations of a document write to. */
  readonly written?: Written | undefined;
  readonly requestId: string;
  readonly log: Logger;
  /** The versions in `If-Match` from which a change is allowed; undefined for any. REST only. */
  readonly ifMatch?: '*' | readonly string[] | undefined;
  /** Receives the version of a set from its read, for the entity tag. REST only. */
  readonly versionOfSet?: { current?: string };
  /** The current UTC day, `YYYY-MM-DD`, which determines validity. */
  readonly today: string;
  /** Batch loaders of this request, by field. */
  readonly loaders: Map<unknown, unknown>;
}
