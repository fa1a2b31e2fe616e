/** From an operation of /graphql to what goes out for it. */
import {
  type DocumentNode,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
  getOperationAST,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.js';
import { toApiError } from '../edge/failure.js';
import { appliedPreferences } from '../edge/prefer.js';
import type { ApiError } from '../errors.js';
import { compile, type Operation } from './compile.js';
import { type Cost, costOf, tooCostly } from './cost/check.js';
import { graphqlDialect } from './dialect.js';
import { execute, type Once } from './execute.js';
import type { Answer, Claim } from './idempotency.js';
import { readVariables } from './input.js';
import { checkLimits } from './limits.js';
import { schema } from './schema.js';

/** A request's context, with the key that it may have sent for its mutation. */
export interface GraphContext extends Context {
  readonly claim: Claim | undefined;
}

/**
 * Compiling costs about as much as running a few times; the documents that are in use fit. Compiled, a document takes some 300 bytes for each of its
 * characters, and the largest 2.5 MB, so their lengths are counted.
 */
const compiled = new LRUCache<string, Operation>({ max: 300, maxSize: 400_000 });

const idOf = (text: string, operationName: string | undefined): string => `${operationName ?? ''} ${text}`;

/** The operation of a text that was found to be valid before. */
export const knownOperation = (text: string, operationName: string | undefined): Operation | undefined =>
  compiled.get(idOf(text, operationName));

/** @param document Of the text, and valid. */
export function operationFor(document: DocumentNode, text: string, operationName: string | undefined): Operation {
  let operation = knownOperation(text, operationName);
  if (!operation) {
    const definition = getOperationAST(document, operationName);
    if (definition) checkLimits(document, definition);
    operation = compile(schema, document, operationName, { specifiedEnums: false });
    compiled.set(idOf(text, operationName), operation, { size: text.length || 1 });
  }
  return operation;
}

/** The code of an error in GraphQL: the same word as in REST, in upper case. */
export const extensionsOf = ({ code, details, retryAfter }: Pick<ApiError, 'code' | 'details' | 'retryAfter'>, requestId: string) => ({
  code: code.toUpperCase(),
  ...(details && { details }),
  ...(retryAfter !== undefined && { retry_after: Math.ceil(retryAfter) }),
  request_id: requestId,
});

/** What goes out for an operation, whoever writes it. Names of headers are in lower case. */
export interface Performed {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormattedExecutionResult;
}

/** An error of the whole request, before any field was run, is the status of the response too. */
function requestError(error: ApiError, requestId: string, more: FormattedExecutionResult = {}): Performed {
  const headers = {
    ...(error.retryAfter !== undefined && { 'retry-after': String(Math.ceil(error.retryAfter)) }),
    ...(error.code === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
  };
  const errors = [{ message: error.message, extensions: extensionsOf(error, requestId) }];
  return { status: error.status, headers, body: { errors, ...more } };
}

/** The result as it leaves: each error with our code, nothing internal, and what it cost. */
export function toResponse({ data, errors }: ExecutionResult, context: Context, cost: Cost): FormattedExecutionResult {
  const extensions = { cost };
  if (!errors) return { data: data ?? null, extensions };
  const shown = errors.map((error): GraphQLFormattedError => {
    const apiError = toApiError(error, context.log, context.requestId);
    const { locations, path } = error;
    const about = extensionsOf(apiError, context.requestId);
    return { message: apiError.message, ...(locations && { locations }), ...(path && { path }), extensions: about };
  });
  return { errors: shown, data: data ?? null, extensions };
}

/** Runs an operation through the one door. Whatever goes wrong is part of what it gives. */
export async function perform(
  operation: () => Operation,
  given: Record<string, unknown> | undefined,
  context: GraphContext,
): Promise<Performed> {
  try {
    const { plan, variables: declared } = operation();
    const variables = readVariables(declared, given ?? {}, graphqlDialect);
    const cost = { requested: costOf(plan, variables), limit: context.config.GRAPHQL_COST_LIMIT };
    if (cost.requested > cost.limit) return requestError(tooCostly(plan, variables, cost), context.requestId, { extensions: { cost } });
    const render = (result: ExecutionResult): Answer => ({
      status: 200,
      headers: {},
      body: JSON.stringify(toResponse(result, context, cost)),
    });
    const once: Once | undefined = context.claim && { claim: context.claim, render };
    const { result, replay, isFromStandby } = await execute(operation(), context, variables, once);
    if (replay) return { status: 200, headers: { 'idempotency-replayed': 'true' }, body: JSON.parse(String(replay.body)) };
    return { status: 200, headers: lowerCase(appliedPreferences(isFromStandby)), body: toResponse(result, context, cost) };
  } catch (error) {
    return requestError(toApiError(error, context.log, context.requestId), context.requestId);
  }
}

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
