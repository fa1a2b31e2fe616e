/** The transaction of a group: all of its members commit, or none does. */
import { isRetryable, isUnavailable, overtaken, pgError } from '../failures.js';
import { lockClock } from '../version-clock.js';
import { type Client, type Result, rowsOf, type Sql } from '../wire/client.js';

/** The part of a transaction that runs in a group. */
export interface GroupedWrite {
  /** Statements before the write that may refuse it, and that wait for no lock. */
  readonly ahead: readonly Sql[];
  /** Statements that undo those. */
  readonly undo: readonly Sql[];
  /** The write itself. */
  readonly write: Sql;
  /** The organization whose version clock it advances. */
  readonly clock: string;
  /**
   * Its text in a group: returns no row, instead of failing, where a row that it inserts exists
   * already.
   */
  readonly groupText: string;
  /** Whether it appends no statement: its results then follow the commit. */
  readonly isWhole: boolean;
}

/** One transaction of a group. */
export class GroupMember {
  /**
   * The results of its statements, in order. Rejects with a retryable error when another member's
   * failure undid it, or when it wrote nothing in the group.
   */
  readonly results = Promise.withResolvers<Result[]>();
  /**
   * Resolves when it may commit, with the statement that it appends, if any; rejects to roll back.
   */
  readonly last = Promise.withResolvers<Sql | undefined>();
  /** The rows of the appended statement, after the commit. Rejects unless it was committed. */
  readonly end = Promise.withResolvers<object[]>();
  /** What {@link results} resolves with. */
  found: Result[] = [];

  constructor(readonly write: GroupedWrite) {
    for (const { promise } of [this.results, this.last, this.end]) promise.catch(() => {});
  }

  fail(error: unknown): void {
    this.results.reject(error);
    this.end.reject(error);
  }
}

/**
 * Runs a group in one transaction and settles its members.
 * @returns The reason why the connection cannot be reused, if any.
 */
export async function commitGroup(
  client: Client,
  members: readonly GroupMember[],
): Promise<Error | undefined> {
  const statements = statementsOf(members);
  try {
    await run(client, members, statements);
    return undefined;
  } catch (error) {
    const broken = statements.isOnePiece && isUndone(error) ? undefined : await rollback(client);
    for (const member of members) member.fail(members.length > 1 ? failureForEach(error) : error);
    return broken;
  }
}

/** @throws unless all members commit. Members whose results are open then get none. */
async function run(
  client: Client,
  members: readonly GroupMember[],
  { ahead, writes, clock, isOnePiece }: Statements,
): Promise<void> {
  const isShared = members.length > 1;
  // The version clock is locked after the statements that may refuse a write, so that refused
  // writes never wait for it.
  const statements = [...ahead, [lockClock, [clock]] as const, ...writes];
  const results = await client.send(statements, { begins: !isOnePiece });
  // A member that is alone gets the result of each of its statements.
  if (isShared || Error.isError(results[ahead.length])) results.forEach(rowsOf);
  const open: GroupMember[] = [];
  const whole: GroupMember[] = [];
  const idle: GroupMember[] = [];
  let at = 0;
  for (const [index, member] of members.entries()) {
    const write = results[ahead.length + 1 + index];
    member.found = results.slice(at, at + member.write.ahead.length);
    at += member.found.length;
    member.found.push(write);
    if (isShared && rowsOf(write).length === 0) idle.push(member);
    else if (member.write.isWhole) whole.push(member);
    else {
      open.push(member);
      member.results.resolve(member.found);
    }
  }
  if (!isOnePiece) await commit(client, open, idle);
  for (const { results: result, found } of whole) result.resolve(found);
  for (const member of idle)
    member.fail(
      overtaken(new Error('It wrote nothing in the group, and runs alone to find the reason')),
    );
}

interface Statements {
  readonly ahead: Sql[];
  readonly writes: Sql[];
  readonly clock: string;
  /** Whether they are the whole transaction: a pipeline that ends is a transaction by itself. */
  readonly isOnePiece: boolean;
}

function statementsOf(members: readonly GroupMember[]): Statements {
  const ahead: Sql[] = [];
  const writes: Sql[] = [];
  let clock = '';
  let isOnePiece = true;
  for (const { write } of members) {
    isOnePiece &&= write.isWhole;
    ahead.push(...write.ahead);
    writes.push(members.length > 1 ? [write.groupText, write.write[1]] : write.write);
    clock = write.clock;
  }
  return { ahead, writes, clock, isOnePiece };
}

/** Commits, with the statements that open members append and those that undo idle members. */
async function commit(
  client: Client,
  open: readonly GroupMember[],
  idle: readonly GroupMember[],
): Promise<void> {
  const undo = idle.flatMap(({ write }) => write.undo);
  const lasts = await Promise.all(open.map(({ last }) => last.promise));
  const statements = [...undo, ...lasts.filter((sql) => sql !== undefined)];
  if (statements.length === 0) await client.query('commit');
  const results = statements.length > 0 ? await client.send(statements, { commits: true }) : [];
  const rows = results.map(rowsOf).slice(undo.length);
  for (const [index, { end }] of open.entries()) end.resolve((lasts[index] && rows.shift()) ?? []);
}

const rollback = (client: Client): Promise<Error | undefined> =>
  client.query('rollback').then(
    () => undefined,
    (reason: Error) => reason,
  );

/**
 * Whether the server reported the failure, so that nothing was committed. After a lost connection
 * the outcome of a commit is unknown.
 */
const isUndone = (error: unknown): boolean => pgError(error)?.severity === 'ERROR';

/**
 * The error for each of several members: retryable alone, unless it is a time limit, which each of
 * them would exceed.
 */
const failureForEach = (error: unknown): unknown =>
  isUndone(error) && (isRetryable(error) || !isUnavailable(error)) ? overtaken(error) : error;
