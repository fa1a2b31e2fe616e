/** Transactions that became one: all of them commit, or none does. */
import type { Client, Sql } from './client.js';
import { holding } from './clock.js';
import { isRetryable, isUnavailable, overtaken, pgError } from './failures.js';
import { type Answer, NotSent, rowsOf } from './together.js';

/** How a statement goes with those of others. */
export interface Sharing {
  /** The organization whose clock it ticks before it locks anything. */
  readonly clock: string;
  /** Its text among others, for the same values: where what it adds is there already it gives no row, and doesn't fail for all of them. */
  readonly text: string;
}

/** What a transaction does in a group. */
interface Work {
  /** Statements that may refuse it, and wait for nobody. */
  readonly ahead: readonly Sql[];
  /** Statements that undo what those did. */
  readonly undo: readonly Sql[];
  /** The statement that they are for. */
  readonly write: Sql;
  readonly sharing: Sharing;
  /** Whether nothing follows: it is answered once this is committed. */
  readonly isWhole: boolean;
}

/** One of a group: what it does, and how it ends. */
export class Member {
  /** The answers to its statements, in their order. Rejects with what befell the group: with an error that is retryable, where the failure of another undid it, or it did nothing among them. */
  readonly answers = Promise.withResolvers<Answer[]>();
  /** That it commits, with its last statement, if any; rejects when it rolls back. */
  readonly last = Promise.withResolvers<Sql | undefined>();
  /** When all has ended: the rows of its last statement. Rejects unless it was committed. */
  readonly end = Promise.withResolvers<object[]>();
  /** Its write among others. */
  readonly shared: Sql;

  constructor(readonly work: Work) {
    this.shared = [work.sharing.text, work.write[1]];
    for (const { promise } of [this.answers, this.last, this.end]) promise.catch(() => {});
  }

  get clock(): string {
    return this.work.sharing.clock;
  }

  get isWhole(): boolean {
    return this.work.isWhole;
  }

  fail(error: unknown): void {
    this.answers.reject(error);
    this.end.reject(error);
  }
}

/** What became of a connection, and who was left out. */
interface Outcome {
  /** Why it can't be used again, if so. */
  readonly broken?: Error | undefined;
  /** Those whose clocks somebody else ticks just now. The others don't wait for them. */
  readonly left: readonly Member[];
}

/** Runs a group in one transaction, and tells each of its members; those that are left out haven't been told anything. */
export async function run(client: Client, all: readonly Member[]): Promise<Outcome> {
  if (all.length === 0) return { left: [] };
  const clocks = [...new Set(all.map(({ clock }) => clock))];
  const isHeld = clocks.length > 1;
  let members = all;
  let left: readonly Member[] = [];
  try {
    if (isHeld) {
      const held = await client.records<{ id: string }>(holding, [clocks], { begins: true });
      const ids = new Set(held.map(({ id }) => id));
      members = all.filter(({ clock }) => ids.has(clock));
      left = all.filter(({ clock }) => !ids.has(clock));
      if (members.length === 0) return { broken: await rollback(client), left };
    }
    await runAll(client, members, isHeld);
    return { left };
  } catch (error) {
    const isBegun = isHeld || !members.every(({ isWhole }) => isWhole);
    const broken = isBegun || !isUndone(error) ? await rollback(client) : undefined;
    for (const member of members) member.fail(members.length > 1 ? forEach(error) : error);
    return { broken, left };
  }
}

/** @throws unless all of them commit; then those that haven't been told of their answers will not be. */
async function runAll(client: Client, members: readonly Member[], isBegun: boolean): Promise<void> {
  const isShared = members.length > 1;
  const commitsItself = members.every(({ isWhole }) => isWhole);
  const writeOf = ({ work, shared }: Member) => (isShared ? shared : work.write);
  // One of several, such as that their caller is whom they were taken to be, is run once. Who is refused doesn't wait for a clock first.
  const statements = [...new Set(members.flatMap(({ work }) => work.ahead)), ...members.map(writeOf)];
  const last = statements.length - 1;
  const company = (index: number) => ({
    // What goes out in one piece, and nothing follows, is a transaction by itself.
    begins: index === 0 && !isBegun && !commitsItself,
    commits: index === last && isBegun && commitsItself,
  });
  const answers = await client.recordsTogether(statements.map((sql, index) => [sql, company(index)]));
  const answerOf = new Map(statements.map((sql, index) => [sql, answers[index]]));
  const answersOf = (member: Member) => [...member.work.ahead, writeOf(member)].map((sql) => answerOf.get(sql));
  // One that is alone is told what became of each statement.
  if (isShared || isBegun) answers.forEach(rowsOf);
  const idle = isShared ? members.filter((member) => rowsOf(answerOf.get(member.shared)).length === 0) : [];
  const busy = members.filter((member) => !idle.includes(member));
  const open = busy.filter(({ isWhole }) => !isWhole);
  for (const member of open) member.answers.resolve(answersOf(member));
  const undo = idle.flatMap(({ work }) => work.undo);
  if (!commitsItself) await commit(client, open, undo);
  for (const member of busy) member.answers.resolve(answersOf(member));
  for (const member of idle) member.fail(overtaken(new Error('It did nothing, and goes alone to be told why')));
}

async function commit(client: Client, members: readonly Member[], undo: readonly Sql[]): Promise<void> {
  const lasts = await Promise.all(members.map(({ last }) => last.promise));
  const sent = [...undo, ...lasts.filter((sql) => sql !== undefined)];
  if (sent.length === 0) await client.query('commit');
  const answers =
    sent.length > 0 ? await client.recordsTogether(sent.map((sql, index) => [sql, { commits: index === sent.length - 1 }])) : [];
  const rows = answers.map(rowsOf).slice(undo.length);
  for (const [index, { end }] of members.entries()) end.resolve((lasts[index] && rows.shift()) ?? []);
}

const rollback = (client: Client): Promise<Error | undefined> =>
  client.query('rollback').then(
    () => undefined,
    (reason: Error) => reason,
  );

/** Whether nothing remains of it, for sure: when a connection is lost, nobody knows what became of a commit. */
const isUndone = (error: unknown): boolean => error instanceof NotSent || pgError(error)?.severity === 'ERROR';

/** What a failure is to each of several: it may try alone, unless it is a limit of time, which each would meet. */
const forEach = (error: unknown): unknown => (isUndone(error) && (isRetryable(error) || !isUnavailable(error)) ? overtaken(error) : error);
