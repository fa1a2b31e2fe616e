/**
 * Reads on a streaming standby that are as fresh as reads on the primary: a read asks the primary
 * for its log position, and waits until the standby has replayed it. So every caller sees all
 * commits before the request, through any process, without tracking positions.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Database } from './connection.js';
import { isUnavailable } from './failures.js';
import { type Connections, connectionsOf, createPool, type Pool, poolOptions } from './pool.js';
import { oldestVersion } from './session.js';
import { Transaction, transact } from './transaction.js';

/**
 * Milliseconds in which the standby must catch up with the primary; after that the primary reads.
 */
const waitTimeoutMs = 250;
/** Milliseconds between two polls of its position. */
const pause = 2;
/** Milliseconds without reads after the standby failed or lagged; then a single read tries it. */
const rest = 1000;

/**
 * The position of the primary's log. With asynchronous commit, commits may be acknowledged before
 * they are flushed.
 */
const positionStatement = `
  select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end::text as lsn,
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline
  where not pg_is_in_recovery()`;

/**
 * A standby on another timeline lacks the primary's history at any position. Its last restartpoint
 * shows the timeline, at the latest one checkpoint after a promotion.
 */
const progressStatement = `
  select pg_is_in_recovery() and timeline_id = $2 as "isOurs", coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "isThere"
  from pg_control_checkpoint()`;

interface Position {
  readonly lsn: string;
  readonly timeline: number;
}

/** The standby cannot answer in time; the primary can. */
class PassedOver extends Error {}

export class Standby {
  readonly #pool: Pool;
  /** When a standby that failed may be tried again; undefined while it works. */
  #restsUntil: number | undefined;

  /** The configured standby, if any. It connects on first use, and may be down until then. */
  static of(
    { DATABASE_REPLICA_URL, DATABASE_POOL_SIZE, DATABASE_DIRECT_URL }: Config,
    log: Logger,
  ): Standby | undefined {
    const isPooled = DATABASE_DIRECT_URL !== undefined;
    return DATABASE_REPLICA_URL
      ? new Standby(DATABASE_REPLICA_URL, DATABASE_POOL_SIZE, isPooled, log)
      : undefined;
  }

  private constructor(
    url: string,
    poolSize: number,
    isPooled: boolean,
    private readonly log: Logger,
  ) {
    const options = poolOptions(url, {
      server: { version: oldestVersion, isDistributed: false },
      poolSize,
      timeLimits: true,
      isPooled,
    });
    this.#pool = createPool({ ...options, connectionTimeoutMillis: 4 * waitTimeoutMs });
  }

  /** Connections of its pool at this moment. */
  get connections(): Connections {
    return connectionsOf(this.#pool);
  }

  /**
   * Reads on the standby, in one transaction there.
   * @param db The primary, whose count includes these statements.
   * @param work Only reads.
   * @returns Undefined when the standby is down, late, or not a standby of this primary: the
   * primary must read then.
   */
  async read<T>(db: Database, work: (standby: Database) => Promise<T>): Promise<T | undefined> {
    if (this.#restsUntil !== undefined) {
      if (performance.now() < this.#restsUntil) return undefined;
      this.#restsUntil = performance.now() + rest;
    }
    try {
      const result = await this.#attempt(db, work);
      if (this.#restsUntil !== undefined) this.log.info('the standby takes reads again');
      this.#restsUntil = undefined;
      return result;
    } catch (err) {
      if (!(err instanceof PassedOver) && !isUnavailable(err)) throw err;
      if (this.#restsUntil === undefined)
        this.log.warn({ err }, 'the standby is not used: the primary takes its reads');
      this.#restsUntil = performance.now() + rest;
      return undefined;
    }
  }

  async #attempt<T>(db: Database, work: (standby: Database) => Promise<T>): Promise<T> {
    const answer = Promise.withResolvers<T>();
    let timer: NodeJS.Timeout | undefined;
    const asked = db.query<Position>(positionStatement);
    const transaction = new Transaction(this.#pool, undefined);
    const read = async (standby: Database) => {
      await catchUp(standby, await asked);
      clearTimeout(timer);
      // The result of a read does not depend on its commit.
      answer.resolve(await work(standby));
    };
    const reading = transact(transaction, read, db.on(transaction));
    reading.catch(answer.reject);
    answer.promise.catch(() => {});
    // A busy primary is no failure of the standby.
    await asked;
    // A server that hangs never responds.
    timer = setTimeout(
      () => answer.reject(new PassedOver(`It did not answer in ${waitTimeoutMs} ms`)),
      waitTimeoutMs,
    );
    return answer.promise.finally(() => clearTimeout(timer));
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/**
 * Checks the position before anything is read: the snapshot of each later statement then includes
 * it.
 */
async function catchUp(standby: Database, [position]: readonly Position[]): Promise<void> {
  if (!position) throw new PassedOver('DATABASE_URL is not a primary');
  const deadline = performance.now() + waitTimeoutMs;
  for (;;) {
    const [progress] = await standby.query<{ isOurs: boolean; isThere: boolean }>(
      progressStatement,
      [position.lsn, position.timeline],
    );
    if (!progress?.isOurs) throw new PassedOver('It is not a standby of the primary');
    if (performance.now() > deadline)
      throw new PassedOver(`It did not reach ${position.lsn} in ${waitTimeoutMs} ms`);
    if (progress.isThere) return;
    await delay(pause);
  }
}
