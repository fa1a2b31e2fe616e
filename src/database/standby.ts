/**
 * Reads on a streaming standby that are as fresh as reads on the primary: a read asks the primary
 * for its log position, and waits until the standby has replayed it. So every caller sees all
 * commits before the request, through any process, without tracking positions.
 *
 * A caller may allow a maximum age. Such a read requires a position that the primary had at most that
 * long ago. This process remembers positions with their times, so no clocks of different machines
 * are compared, and an idle primary does not count as old.
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
/** The same for a read that allows an age, when no position of that age is known. */
const agedWaitMs = 100;
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

/** A position that the primary had reached at the time, in milliseconds of `performance.now()`. */
interface Remembered extends Position {
  readonly at: number;
}

/** Maximum number of remembered positions, and the minimum milliseconds between two of them. */
const maxRemembered = 600;
const minSpacingMs = 500;

/** Reads with the freshness that a caller requires. */
export interface StandbyReader {
  /**
   * Reads on the standby, in one transaction there.
   * @param db The primary, whose count includes these statements.
   * @param work Only reads.
   * @returns Undefined when the standby is down, late, or not a standby of this primary: the
   * primary must read then.
   */
  read<T>(db: Database, work: (standby: Database) => Promise<T>): Promise<T | undefined>;
}

/** The standby cannot answer in time; the primary can. */
class PassedOver extends Error {}

/** It works, and has not reached the position. It may be young enough for another read. */
class Late extends PassedOver {}

export class Standby {
  readonly #pool: Pool;
  /**
   * When a standby that failed may be tried again; undefined while it works. It may be too late for
   * fresh reads, and serve those with a maximum age.
   */
  readonly #restsUntil: { fresh?: number | undefined; aged?: number | undefined } = {};
  /** Oldest first. */
  #remembered: Remembered[] = [];
  #asking: Promise<Position[]> | undefined;

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
      version: oldestVersion,
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
   * @param maxAgeMs Milliseconds before the request in which commits may be missing; 0 for none.
   */
  within(maxAgeMs: number): StandbyReader {
    return { read: (db, work) => this.#read(db, work, maxAgeMs) };
  }

  async #read<T>(
    db: Database,
    work: (standby: Database) => Promise<T>,
    maxAgeMs: number,
  ): Promise<T | undefined> {
    const freshness = maxAgeMs > 0 ? 'aged' : 'fresh';
    const until = this.#restsUntil[freshness];
    if (until !== undefined) {
      if (performance.now() < until) return undefined;
      this.#restsUntil[freshness] = performance.now() + rest;
    }
    try {
      const result = await this.#attempt(db, work, maxAgeMs);
      if (this.#restsUntil[freshness] !== undefined)
        this.log.info({ freshness }, 'the standby takes reads again');
      this.#restsUntil[freshness] = undefined;
      return result;
    } catch (err) {
      if (!(err instanceof PassedOver) && !isUnavailable(err)) throw err;
      if (err instanceof Late && maxAgeMs > 0) return undefined;
      if (this.#restsUntil[freshness] === undefined)
        this.log.warn({ err, freshness }, 'the standby is not used: the primary takes its reads');
      this.#restsUntil[freshness] = performance.now() + rest;
      return undefined;
    }
  }

  /** The oldest known position of the primary that is young enough for a read. */
  #rememberedFor(db: Database, maxAgeMs: number): Position | undefined {
    if (maxAgeMs === 0) return undefined;
    const now = performance.now();
    const known = this.#remembered.find(({ at }) => at >= now - maxAgeMs);
    // Asked ahead, so that no later read has to wait for the primary.
    if (known && (this.#remembered.at(-1)?.at ?? 0) < now - maxAgeMs / 2) {
      this.#asking ??= this.#ask(db).finally(() => {
        this.#asking = undefined;
      });
      this.#asking.catch(() => {});
    }
    return known;
  }

  async #ask(db: Database): Promise<Position[]> {
    const at = performance.now();
    const positions = await db.query<Position>(positionStatement);
    const [position] = positions;
    const last = this.#remembered.at(-1);
    // The history of another timeline is not that of this one.
    if (position?.timeline !== last?.timeline) this.#remembered = [];
    if (position && (this.#remembered.length === 0 || at > (last?.at ?? 0) + minSpacingMs))
      this.#remembered.push({ ...position, at });
    if (this.#remembered.length > maxRemembered) this.#remembered.shift();
    return positions;
  }

  async #attempt<T>(
    db: Database,
    work: (standby: Database) => Promise<T>,
    maxAgeMs: number,
  ): Promise<T> {
    const answer = Promise.withResolvers<T>();
    let timer: NodeJS.Timeout | undefined;
    const known = this.#rememberedFor(db, maxAgeMs);
    const asked = known ? Promise.resolve([known]) : this.#ask(db);
    const waitMs = known ? 0 : maxAgeMs > 0 ? agedWaitMs : waitTimeoutMs;
    const transaction = new Transaction(this.#pool, undefined);
    const read = async (standby: Database) => {
      await catchUp(standby, await asked, waitMs);
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
async function catchUp(
  standby: Database,
  [position]: readonly Position[],
  waitMs: number,
): Promise<void> {
  if (!position) throw new PassedOver('DATABASE_URL is not a primary');
  const deadline = performance.now() + waitMs;
  for (;;) {
    const [progress] = await standby.query<{ isOurs: boolean; isThere: boolean }>(
      progressStatement,
      [position.lsn, position.timeline],
    );
    if (!progress?.isOurs) throw new PassedOver('It is not a standby of the primary');
    // A late answer of the standby counts as late, also if it has reached the position meanwhile.
    if (waitMs > 0 && performance.now() > deadline)
      throw new Late(`It did not reach ${position.lsn} in ${waitMs} ms`);
    if (progress.isThere) return;
    if (waitMs === 0) throw new Late(`It has not reached ${position.lsn}`);
    await delay(pause);
  }
}
