/**
 * Writers that hold their transactions open for random times, and a client that follows the list
 * meanwhile: what did it miss?
 */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { insertRows } from '../../src/database/change-statements.js';
import { connect } from '../../src/database/connect.js';
import { Database } from '../../src/database/connection.js';
import { type Change, recordChanges } from '../../src/database/record-changes.js';
import { entities } from '../../src/entities/tables.js';
import { nobody } from './changes.js';
import { type Item, type Read, walk } from './walk.js';

/** What ends a transaction instead of its commit. */
export type Accident = 'rollback' | 'kill' | undefined;

export interface Writer {
  readonly transactions: number;
  /** The changes of the next transaction. */
  readonly next: () => Change[];
  readonly accident?: () => Accident;
}

/**
 * Stamps and writes the changes in a transaction that is open already. The real one, or a naive one
 * that is planted.
 */
export type Write = (tx: Database, changes: Change[]) => Promise<unknown>;
/** Reads what a client does not have yet, page by page, from the greatest `updated_at` it saw. */
export type Follow = (since: string) => AsyncIterable<readonly Item[]>;

export interface Outcome {
  readonly written: number;
  readonly missed: number;
  readonly duplicated: number;
  readonly invented: number;
  /** Milliseconds from the commit until the client had the record. */
  readonly visibleAfter: { readonly p50: number; readonly max: number };
}

const hold = (most: number) => delay(randomInt(most + 1));

const realWrite: Write = async (tx, changes) => {
  await hold(50);
  await recordChanges(tx, nobody, changes);
  if (randomInt(4) === 0) await hold(10);
};

/**
 * What most would write: the stamp is the time at which the transaction begins. New records only.
 */
export const naiveWrite: Write = async (tx, changes) => {
  const [row] = await tx.query<{ updatedAt: string }>('select clock_timestamp() as "updatedAt"');
  await hold(50);
  for (const { entity, key, set } of changes) {
    const record = { ...key, ...set, createdAt: row?.updatedAt, updatedAt: row?.updatedAt };
    await insertRows(tx, entity, Object.keys(record), [record]);
  }
};

/** Asks for what is later than the last record seen, and never sends a cursor. */
export const byUpdatedAfter = (read: Read, limit: number): Follow =>
  async function* (since) {
    for (let last: string | undefined = since; last; ) {
      const { data } = await read({ limit, updated_after: last });
      yield data;
      last = data.at(-1)?.updated_at;
    }
  };

/** Walks to the end by cursor each time. */
export const byCursor = (read: Read, limit: number): Follow =>
  async function* (since) {
    for await (const { data } of walk(read, { limit, updated_after: since })) yield data;
  };

export class Race {
  private readonly seen = new Map<string, number>();
  private readonly committed = new Map<string, number>();
  private duplicated = 0;
  private position = '2000-01-01T00:00:00.000000Z';

  private constructor(
    private readonly db: Database,
    private readonly follow: Follow,
    private readonly writeChanges: Write,
  ) {}

  /**
   * @param stored What the database has at the end: each record with its `updated_at`.
   * @param beside Other work that writes meanwhile.
   */
  static async run(
    url: string,
    follow: Follow,
    writers: readonly Writer[],
    stored: string,
    {
      write = realWrite,
      beside = async () => {},
    }: { write?: Write; beside?: () => Promise<unknown> } = {},
  ): Promise<Outcome> {
    const orm = await connect(url, { poolSize: writers.length + 2, entities });
    try {
      const race = new Race(new Database(orm.em), follow, write);
      return await race.run(writers, stored, beside);
    } finally {
      await orm.close();
    }
  }

  private async run(
    writers: readonly Writer[],
    stored: string,
    beside: () => Promise<unknown>,
  ): Promise<Outcome> {
    await this.catchUp();
    const [before, duplicatedBefore] = [new Set(this.seen.keys()), this.duplicated];
    let isWriting = true;
    const following = (async () => {
      while (isWriting) {
        await this.catchUp();
        await delay(1);
      }
    })();
    await Promise.all([...writers.map((writer) => this.write(writer)), beside()]);
    isWriting = false;
    await following;
    await this.catchUp();
    return this.outcome(before, duplicatedBefore, await this.db.query(stored));
  }

  private async catchUp(): Promise<void> {
    for await (const records of this.follow(this.position)) {
      for (const { id, updated_at } of records) {
        const version = `${id} ${updated_at}`;
        if (this.seen.has(version)) this.duplicated++;
        else this.seen.set(version, performance.now());
        if (updated_at > this.position) this.position = updated_at;
      }
    }
  }

  private async write({ transactions, next, accident = () => undefined }: Writer): Promise<void> {
    for (let count = 0; count < transactions; count++) {
      const changes = next();
      const accidental = accident();
      await this.db
        .transaction(async (tx) => {
          await this.writeChanges(tx, changes);
          if (accidental === 'rollback') throw new Planned();
          if (accidental === 'kill') await this.kill(tx);
        })
        .then(
          () => this.note(changes),
          (error) => {
            if (!accidental) throw error;
          },
        );
    }
  }

  private note(changes: readonly Change[]): void {
    const now = performance.now();
    for (const { key } of changes) this.committed.set(String(key.id), now);
  }

  private async kill(tx: Database): Promise<void> {
    const [backend] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    await this.db.query('select pg_terminate_backend($1::int, 1000)', [backend?.pid]);
  }

  private outcome(
    before: Set<string>,
    duplicatedBefore: number,
    rows: { id: string; updatedAt: string }[],
  ): Outcome {
    const versions = new Set(rows.map(({ id, updatedAt }) => `${id} ${updatedAt}`));
    const written = [...versions].filter((version) => !before.has(version));
    const waits = written
      .flatMap((version) => {
        const [seen, committed] = [
          this.seen.get(version),
          this.committed.get(version.slice(0, 36)),
        ];
        return seen === undefined || committed === undefined ? [] : [Math.max(0, seen - committed)];
      })
      .sort((a, b) => a - b);
    return {
      written: written.length,
      missed: written.filter((version) => !this.seen.has(version)).length,
      duplicated: this.duplicated - duplicatedBefore,
      invented: [...this.seen.keys()].filter(
        (version) => !before.has(version) && !versions.has(version),
      ).length,
      visibleAfter: {
        p50: Math.round(waits[Math.floor(waits.length / 2)] ?? 0),
        max: Math.round(waits.at(-1) ?? 0),
      },
    };
  }
}

class Planned extends Error {}
