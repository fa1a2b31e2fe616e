/**
 * Reads on a streaming standby that are as fresh as on the primary: the primary is asked how far it is, and the standby read once it has come as far. So
 * every caller sees what anyone committed before the request, whichever process it was written through, and nobody has to remember positions.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { Database } from './connection.js';
import { isUnavailable } from './failures.js';
import { type Connections, connectionsOf, createPool, type Pool, poolOptions } from './pool.js';
import { oldestVersion } from './session.js';
import { transact } from './transaction.js';

/** Milliseconds in which the standby must have caught up with the primary, or that reads. */
const patience = 250;
/** Milliseconds between two looks at how far it is. */
const pause = 2;
/** Milliseconds for which a standby that failed or lags is left alone; then a single read tries it. */
const rest = 1000;

/** Where the primary's log is. Commits that don't wait for the disk may be acknowledged before they are flushed. */
const positionStatement = `
  select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end::text as lsn,
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline
  where not pg_is_in_recovery()`;

/**
 * A standby of another timeline is of a past that isn't the primary's, however far it is. Its last restartpoint tells, at the latest a checkpoint
 * after a promotion.
 */
const progressStatement = `
  select pg_is_in_recovery() and timeline_id = $2 as "isOurs", coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as "isThere"
  from pg_control_checkpoint()`;

interface Position {
  readonly lsn: string;
  readonly timeline: number;
}

/** The standby can't answer in time; the primary can. */
class PassedOver extends Error {}

export class Standby {
  readonly #pool: Pool;
  /** When a standby that failed may be tried again; undefined while it works. */
  #restsUntil: number | undefined;

  /** The standby of the configuration, if there is one. It is connected to when it is first needed, and may be down until then. */
  static of({ DATABASE_REPLICA_URL, DATABASE_POOL_SIZE, DATABASE_DIRECT_URL }: Config, log: Logger): Standby | undefined {
    const isPooled = DATABASE_DIRECT_URL !== undefined;
    return DATABASE_REPLICA_URL ? new Standby(DATABASE_REPLICA_URL, DATABASE_POOL_SIZE, isPooled, log) : undefined;
  }

  private constructor(
    url: string,
    poolSize: number,
    isPooled: boolean,
    private readonly log: Logger,
  ) {
    const options = poolOptions(url, { version: oldestVersion, poolSize, timeLimits: true, isPooled });
    this.#pool = createPool({ ...options, connectionTimeoutMillis: 4 * patience });
  }

  /** Of its pool, at this moment. */
  get connections(): Connections {
    return connectionsOf(this.#pool);
  }

  /**
   * Reads on the standby, in one transaction there.
   * @param db The primary; the statements count as its own.
   * @param work Only reads. It rejects with a failure of the database, for the primary to do better.
   * @returns Undefined when the standby is down, late or no standby of this primary.
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
      if (this.#restsUntil === undefined) this.log.warn({ err }, 'the standby is passed over: the primary takes its reads');
      this.#restsUntil = performance.now() + rest;
      return undefined;
    }
  }

  async #attempt<T>(db: Database, work: (standby: Database) => Promise<T>): Promise<T> {
    const answer = Promise.withResolvers<T>();
    let timer: NodeJS.Timeout | undefined;
    const asked = db.query<Position>(positionStatement);
    const reading = transact(this.#pool, async (transaction) => {
      const standby = db.on(transaction);
      await catchUp(standby, await asked);
      clearTimeout(timer);
      // Nobody need wait for the commit of what was only read.
      answer.resolve(await work(standby));
    });
    reading.catch(answer.reject);
    answer.promise.catch(() => {});
    // That the primary is busy is no fault of the standby.
    await asked;
    // A server that hangs answers nothing at all.
    timer = setTimeout(() => answer.reject(new PassedOver(`It did not answer in ${patience} ms`)), patience);
    return answer.promise.finally(() => clearTimeout(timer));
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** Looks before anything is read: the snapshot of each later statement then holds the position. */
async function catchUp(standby: Database, [position]: readonly Position[]): Promise<void> {
  if (!position) throw new PassedOver("What should be the primary isn't one");
  const deadline = performance.now() + patience;
  for (;;) {
    const [progress] = await standby.query<{ isOurs: boolean; isThere: boolean }>(progressStatement, [position.lsn, position.timeline]);
    if (!progress?.isOurs) throw new PassedOver("It isn't a standby of the primary");
    if (performance.now() > deadline) throw new PassedOver(`It has not come to ${position.lsn} in ${patience} ms`);
    if (progress.isThere) return;
    await delay(pause);
  }
}
