/** Executes operations. REST and GraphQL share this path. */
import type { ExecutionResult, GraphQLError } from 'graphql';
import { Access, requireScopes, type Written } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import type { Database } from '../../database/connection.js';
import { isRetryable, isUnavailable, overtaken, pgError } from '../../database/failures.js';
import { CallerChanged } from '../../database/record-changes.js';
import { ApiError } from '../../errors.js';
import { causeOf } from '../../http/error-mapping.js';
import { observer } from '../../observer.js';
import type { Operation } from './compile.js';
import {
  type Answer,
  alone,
  type Claim,
  isRefused,
  requireSame,
  type Stored,
  store,
  storedFor,
  take,
} from './idempotency.js';

/** The parts of an idempotent mutation: the key, and how to serialize its result. */
export interface Once {
  readonly claim: Claim;
  readonly render: (result: ExecutionResult) => Answer;
}

export type Outcome =
  | {
      readonly result: ExecutionResult;
      readonly isFromStandby?: boolean;
      /** The response that was stored under the key. */
      readonly stored?: Answer | undefined;
      readonly replay?: never;
    }
  | {
      readonly result?: never;
      readonly isFromStandby?: never;
      readonly stored?: never;
      readonly replay: Answer;
    };

/**
 * Milliseconds after which a document with several mutations starts no further statement and is
 * rolled back, because other requests wait for its locks.
 */
const documentTimeoutMs = 3000;

/** Aborts the transaction of a failed mutation and carries its result. */
class RolledBack extends Error {
  constructor(readonly result: ExecutionResult) {
    super('rolled back');
  }
}

/**
 * Runs a query or mutation. A mutation is one transaction: an error in its result rolls it back.
 * @param variables From `readVariables`.
 */
export async function execute(
  operation: Operation,
  context: Context,
  variables: Record<string, unknown>,
  once?: Once,
): Promise<Outcome> {
  if (operation.kind === 'subscription')
    throw new ApiError('invalid_request', 'Send subscriptions to /graphql/stream.');
  const outcome = await (observer
    ? observer.operation(operation, () => answer(operation, context, variables, once))
    : answer(operation, context, variables, once));
  if (outcome.replay) observer?.count('idempotencyReplay');
  return outcome;
}

/** A query reads in parallel with its authentication; a mutation waits for authentication. */
async function answer(
  operation: Operation,
  context: Context,
  variables: Record<string, unknown>,
  once: Once | undefined,
): Promise<Outcome> {
  if (operation.kind === 'query') {
    await context.authentication?.ask(context.db);
    return read(operation, context, variables);
  }
  // The request itself is already counted.
  if (operation.rootFields > 1) await context.charge?.(operation.rootFields - 1);
  if (once) return alone(once.claim, () => doOnce(operation, context, variables, once));
  await context.authentication?.require(context.db);
  return transact(operation, context, variables, undefined);
}

async function doOnce(
  operation: Operation,
  context: Context,
  variables: Record<string, unknown>,
  once: Once,
): Promise<Outcome> {
  const stored = await lookUp(context, once.claim);
  return stored
    ? replay(operation, context, variables, once.claim, stored)
    : transact(operation, context, variables, once);
}

/** The stored response of a key, read in the same round trip as the authentication. */
async function lookUp({ authentication, db }: Context, claim: Claim): Promise<Stored | undefined> {
  await authentication?.ask(db);
  const [, stored] = await Promise.all([authentication?.require(db), storedFor(db, claim)]);
  return stored;
}

/** The stored response, after the same checks of token, app and user as for the first request. */
async function replay(
  operation: Operation,
  context: Context,
  variables: Record<string, unknown>,
  claim: Claim,
  stored: Stored,
): Promise<Outcome> {
  const errors = await refusalsOf(operation, context, variables);
  if (errors.length > 0) return { result: { data: null, errors } };
  // Without a member id, this request may concern another organization than the first one.
  if (stored.organizationId && context.principal)
    new Access(context.principal, operation.scopes).organization(stored.organizationId);
  return { replay: requireSame(claim, stored) };
}

/**
 * Runs a mutation up to its first write, and rolls it back.
 * @returns The errors that deny the caller.
 */
async function refusalsOf(
  operation: Operation,
  context: Context,
  variables: Record<string, unknown>,
): Promise<readonly GraphQLError[]> {
  const rehearse = async (db: Database): Promise<never> => {
    throw new RolledBack(
      await operation.run(
        { ...context, db, loaders: new Map(), written: {}, isRehearsal: true },
        variables,
      ),
    );
  };
  const { errors = [] } = await context.db.transaction(rehearse).catch((error: unknown) => {
    if (error instanceof RolledBack) return error.result;
    throw error;
  });
  return errors.filter((error) => {
    const cause = causeOf(error);
    return cause instanceof ApiError && (cause.status === 401 || cause.status === 403);
  });
}

/**
 * Handles an invalid request with a key. Reuse of the key is reported even then.
 * @param operation The operation, if known.
 * @param organizationId The organization that the request would write to, if known.
 * @throws {ApiError} `idempotency_key_reused`; before that, errors that deny the caller.
 */
export async function requireUnused(
  operation: Operation | undefined,
  context: Context,
  claim: Claim,
  organizationId?: string,
): Promise<void> {
  const stored = await lookUp(context, claim);
  if (!stored || !context.principal) return;
  const scopes = operation?.scopes ?? [];
  requireScopes(context.principal, scopes);
  const access = new Access(context.principal, scopes);
  if (organizationId !== undefined) access.organization(organizationId);
  else if (access.organizations().length === 0) throw new ApiError('forbidden');
  if (stored.organizationId) access.organization(stored.organizationId);
  requireSame(claim, stored);
}

const causesOf = ({ errors = [] }: ExecutionResult): unknown[] => errors.map(causeOf);

/** When the standby cannot answer the whole query, the primary runs it from the beginning. */
async function read(
  operation: Operation,
  context: Context,
  variables: Record<string, unknown>,
): Promise<Outcome> {
  const result = await context.standby?.read(context.db, async (db) => {
    const answer = await operation.run({ ...context, db, loaders: new Map() }, variables);
    const failure = causesOf(answer).find(isUnavailable);
    if (failure) throw failure;
    return answer;
  });
  return result
    ? { result, isFromStandby: true }
    : { result: await operation.run(context, variables) };
}

async function transact(
  operation: Operation,
  context: Context,
  variables: Record<string, unknown>,
  once: Once | undefined,
): Promise<Outcome> {
  const attempt = async (db: Database): Promise<Outcome> => {
    if (once) take(db, once.claim, context.config.IDEMPOTENCY_TTL_HOURS);
    const written: Written = {};
    const result = await operation.run({ ...context, db, loaders: new Map(), written }, variables);
    if (result.errors) throw repeatedIn(operation, causesOf(result)) ?? new RolledBack(result);
    const stored = once?.render(result);
    if (once && stored) store(db, once.claim, stored, written.organizationId);
    return { result, stored };
  };
  try {
    // Only a single field commits with its last statement: with several, a later one may fail.
    const isSingle = operation.rootFields === 1;
    return await context.db.transaction(
      attempt,
      isSingle ? { afterLast: once ? 'appended' : 'nothing' } : { limitMs: documentTimeoutMs },
    );
  } catch (error) {
    if (error instanceof CallerChanged) {
      context.authentication?.end();
      throw new ApiError('unauthenticated');
    }
    if (error instanceof RolledBack) return { result: error.result };
    if (!once || !isRefused(error)) throw error;
    const stored = await storedFor(context.db, once.claim);
    if (!stored) throw new ApiError('idempotency_in_progress');
    return replay(operation, context, variables, once.claim, stored);
  }
}

/**
 * The error for which the transaction is retried, if any. A document of several mutations whose
 * wait for a lock timed out held the version clock meanwhile; the next attempt may find the lock
 * free.
 */
function repeatedIn({ rootFields }: Operation, causes: readonly unknown[]): unknown {
  const timedOut = rootFields > 1 && causes.find((cause) => pgError(cause)?.code === '55P03');
  return timedOut ? overtaken(timedOut) : causes.find(endsAttempt);
}

/** Errors that are not a response: the transaction or the request is retried. */
const endsAttempt = (cause: unknown): boolean =>
  isRetryable(cause) || isRefused(cause) || cause instanceof CallerChanged;
