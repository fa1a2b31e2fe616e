/**
 * Group commit: under load, writes of one moment become one transaction, which goes out in one piece. Whoever comes while enough of them are under way, or
 * one that ticks the same clock, is in the next; whoever comes alone is alone.
 */
import { type Member, run } from './group.js';
import type { Pool, PoolClient } from './pool.js';

/** Groups at a time: more of them would be smaller. */
const lanes = 2;
/** So many that what they save is saved, so few that the first doesn't wait for long. */
const mostTogether = 16;
/** Milliseconds after which a group that waits, for a lock or a disk, no longer keeps others from going. */
const patience = 20;

export class Groups {
  #waiting: Member[] = [];
  /**
   * The clocks of each group under way: whoever else ticks one of them would wait for its commit. Not a map of all: V8 gives one that changes all the time new
   * tables, and the old ones keep alive what was in them.
   */
  #ticking: readonly ReadonlySet<string>[] = [];
  #free = lanes;

  constructor(private readonly pool: Pool) {}

  /** Has it sent when its turn has come. It is told what becomes of it. */
  join(member: Member): void {
    this.#waiting.push(member);
    this.#start();
  }

  #start(): void {
    if (this.#free === 0 || !this.#waiting.some((member) => this.#isNext(member))) return;
    this.#free--;
    const leave = () => {
      this.#free++;
      this.#start();
    };
    void this.#send((most) => this.#take(most), leave);
  }

  #isNext({ clock }: Member): boolean {
    return !this.#ticking.some((clocks) => clocks.has(clock));
  }

  #take(most: number): readonly Member[] {
    const group: Member[] = [];
    const rest: Member[] = [];
    for (const member of this.#waiting) (group.length < most && this.#isNext(member) ? group : rest).push(member);
    this.#waiting = rest;
    return group;
  }

  /**
   * @param take Who goes: whoever waits by the time that there is a connection. Where there is none, there is none for any of them.
   * @param leave Called once it keeps nobody from going.
   */
  async #send(take: (most: number) => readonly Member[], leave: () => void): Promise<void> {
    let client: PoolClient;
    try {
      client = await this.pool.connect();
    } catch (error) {
      for (const member of take(Number.POSITIVE_INFINITY)) member.fail(error);
      return leave();
    }
    const group = take(mostTogether);
    const end = this.#begin(group, leave);
    const { broken, left } = await run(client, group);
    client.release(broken);
    end();
    // They wait for their clocks where nobody waits for them.
    for (const same of Map.groupBy(left, ({ clock }) => clock).values())
      void this.#send(
        () => same,
        () => this.#start(),
      );
  }

  /** @returns To be called at its end. Up to then, or to the end of our patience, it keeps others from going. */
  #begin(group: readonly Member[], leave: () => void): () => void {
    const clocks = new Set(group.map(({ clock }) => clock));
    this.#ticking = [...this.#ticking, clocks];
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      this.#ticking = this.#ticking.filter((each) => each !== clocks);
      leave();
    };
    const timer = setTimeout(end, patience);
    return end;
  }
}
