/** The one door: every REST row and every GraphQL request ends here. */
import type { ExecutionResult } from 'graphql';
import { isOfAnother } from '../auth/presumption.js';
import type { Context } from '../context.js';
import type { Database } from '../database/connection.js';
import { isRetryable, isUnavailable } from '../database/failures.js';
import { causeOf } from '../edge/failure.js';
import { ApiError } from '../errors.js';
import { observer } from '../telemetry/observer.js';
import type { Operation } from './compile.js';
import { type Answer, alone, type Claim, isRefused, store, storedFor, take } from './idempotency.js';

/** What makes a mutation happen once: the caller's key, and how its result goes out. */
export interface Once {
  readonly claim: Claim;
  readonly render: (result: ExecutionResult) => Answer;
}

export type Outcome =
  | { readonly result: ExecutionResult; readonly isFromStandby?: boolean; readonly replay?: never }
  | { readonly result?: never; readonly isFromStandby?: never; readonly replay: Answer };

/** Carries the result of a failed mutation out of its transaction, which it ends. */
class RolledBack extends Error {
  constructor(readonly result: ExecutionResult) {
    super('rolled back');
  }
}

/**
 * Runs a query or mutation. A mutation is one transaction: with an error in its result nothing of it remains.
 * @param variables As read by `readVariables`.
 */
export async function execute(operation: Operation, context: Context, variables: Record<string, unknown>, once?: Once): Promise<Outcome> {
  if (operation.kind === 'subscription') throw new ApiError('invalid_request', 'Send subscriptions to /graphql/stream.');
  if (operation.kind === 'query') await context.presumption?.ask();
  const work = () => answer(operation, context, variables, once);
  const outcome = await (observer ? observer.operation(operation, work) : work());
  if (outcome.replay) observer?.count('idempotencyReplay');
  return outcome;
}

function answer(operation: Operation, context: Context, variables: Record<string, unknown>, once: Once | undefined): Promise<Outcome> {
  if (operation.kind !== 'mutation') return read(operation, context, variables);
  const work = () => transact(operation, context, variables, once);
  return once ? alone(once.claim, work) : work();
}

const causesOf = ({ errors = [] }: ExecutionResult): unknown[] => errors.map(causeOf);

/** A query that the standby can't answer whole, the primary answers from the beginning. */
async function read(operation: Operation, context: Context, variables: Record<string, unknown>): Promise<Outcome> {
  const result = await context.standby?.read(context.db, async (db) => {
    const answer = await operation.run({ ...context, db, loaders: new Map() }, variables);
    const failure = causesOf(answer).find(isUnavailable);
    if (failure) throw failure;
    return answer;
  });
  return result ? { result, isFromStandby: true } : { result: await operation.run(context, variables) };
}

async function transact(
  operation: Operation,
  context: Context,
  variables: Record<string, unknown>,
  once: Once | undefined,
): Promise<Outcome> {
  const attempt = async (db: Database): Promise<Outcome> => {
    context.presumption?.require(db);
    if (once) take(db, once.claim, context.config.IDEMPOTENCY_TTL_HOURS);
    const result = await operation.run({ ...context, db, loaders: new Map() }, variables);
    if (result.errors)
      throw causesOf(result).find((cause) => isRetryable(cause) || isRefused(cause) || isOfAnother(cause)) ?? new RolledBack(result);
    if (once) store(db, once.claim, once.render(result));
    return { result };
  };
  try {
    // A second field may fail, and an answer is to be kept.
    return await context.db.transaction(attempt, operation.isSingle ? (once ? 'last' : 'nothing') : 'anything');
  } catch (error) {
    if (isOfAnother(error)) throw new ApiError('unauthenticated');
    // What failed may have done so before it came to the key. Where PostgreSQL is away there is nobody to ask.
    const isAnswered = isRefused(error) || (error instanceof RolledBack && !causesOf(error.result).some(isUnavailable));
    const replay = once && isAnswered && (await storedFor(context.db, once.claim));
    if (replay) return { replay };
    if (isRefused(error)) throw new ApiError('idempotency_in_progress');
    if (error instanceof RolledBack) return { result: error.result };
    throw error;
  }
}
