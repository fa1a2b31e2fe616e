/** Runs an operation of /graphql and builds its response. */
import type {
  DocumentNode,
  ExecutionResult,
  FormattedExecutionResult,
  GraphQLFormattedError,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../context.js';
import type { ApiError } from '../../errors.js';
import { toApiError } from '../../http/error-mapping.js';
import { appliedPreferences } from '../../http/prefer.js';
import { challengeOf } from '../../http/protected-resource.js';
import { type Cost, costOf, tooCostly } from '../cost/check.js';
import { graphqlDialect } from '../input/dialect.js';
import { DocumentErrors, LocatedError } from '../input/document-errors.js';
import { readVariables } from '../input/variables.js';
import { schema } from '../schema.js';
import { introspectionOf, type Operation, operationOf } from './compile.js';
import { execute, type Once, requireUnused } from './execute.js';
import type { Answer, Claim } from './idempotency.js';
import { withSizeLimit } from './response-size.js';

/** The context of a request, with the idempotency key of its mutation. */
export interface GraphContext extends Context {
  readonly claim: Claim | undefined;
  /** Parsed from the text of the request; undefined for the page of a browser. */
  readonly document?: DocumentNode | undefined;
}

/**
 * Cache of compiled documents. Compiling costs about as much as a few runs; all documents in
 * regular use fit. A compiled document takes about 300 bytes per character of its text, the largest
 * 2.5 MB, so the total length is limited.
 */
const compiled = new LRUCache<string, Operation>({ max: 300, maxSize: 400_000 });

/** Operations of one caller that may return more values than this run one at a time. */
const heavyCost = 10_000;

const idOf = (text: string, operationName: string | undefined): string =>
  `${operationName ?? ''} ${text}`;

/** The operation of a text that is already known to be valid. */
export const knownOperation = (
  text: string,
  operationName: string | undefined,
): Operation | undefined => compiled.get(idOf(text, operationName));

/**
 * @param document The valid document of the text.
 * @param isAnonymous Anonymous documents are not cached: they would evict those of authenticated
 * callers.
 */
export function operationFor(
  document: DocumentNode,
  text: string,
  operationName: string | undefined,
  isAnonymous: boolean,
): Operation {
  if (isAnonymous) return introspectionOf(schema, document, operationName);
  let operation = knownOperation(text, operationName);
  if (!operation) {
    operation = operationOf(schema, document, operationName, { specifiedEnums: false });
    compiled.set(idOf(text, operationName), operation, { size: text.length || 1 });
  }
  return operation;
}

/** The GraphQL code of an error: the REST code in upper case. */
export const extensionsOf = (
  { code, details, retryAfter }: Pick<ApiError, 'code' | 'details' | 'retryAfter'>,
  requestId: string,
) => ({
  code: code.toUpperCase(),
  ...(details && { details }),
  ...(retryAfter !== undefined && { retry_after: Math.ceil(retryAfter) }),
  request_id: requestId,
});

/** The response of an operation, independent of the transport. Header names are in lower case. */
export interface Performed {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormattedExecutionResult;
}

/** The response for an error of a request, or for all errors of its document. */
export function errorsOf(error: ApiError, requestId: string): GraphQLFormattedError[] {
  const errors = error instanceof DocumentErrors ? error.errors : [error];
  return errors.map((each) => {
    const locations = each instanceof LocatedError ? each.locations : [];
    return {
      message: each.message,
      ...(locations.length > 0 && { locations }),
      extensions: extensionsOf(each, requestId),
    };
  });
}

/** An error before any field ran also determines the status of the response. */
export function requestError(
  error: ApiError,
  { config, requestId }: Context,
  more: FormattedExecutionResult = {},
): Performed {
  const challenge = challengeOf(config, error);
  const headers = {
    ...(error.retryAfter !== undefined && { 'retry-after': String(Math.ceil(error.retryAfter)) }),
    ...(challenge && { 'www-authenticate': challenge }),
  };
  return { status: error.status, headers, body: { errors: errorsOf(error, requestId), ...more } };
}

/** The public result: each error with our code and without internals, and the cost. */
export function toResponse(
  { data, errors }: ExecutionResult,
  context: Context,
  cost: Cost,
): FormattedExecutionResult {
  const extensions = { cost };
  if (!errors) return { data: data ?? null, extensions };
  const shown = errors.map((error): GraphQLFormattedError => {
    const apiError = toApiError(error, context.log, context.requestId);
    const { locations, path } = error;
    const about = extensionsOf(apiError, context.requestId);
    return {
      message: apiError.message,
      ...(locations && { locations }),
      ...(path && { path }),
      extensions: about,
    };
  });
  return { errors: shown, data: data ?? null, extensions };
}

/** Charges the cost of an operation, and rejects one that is over the limit. */
export function priceOf(
  { plan }: Operation,
  variables: Record<string, unknown>,
  { config, principal, today }: Context,
): { cost: Cost; refusal?: ApiError } {
  const asking = { variables, memberships: principal?.memberships.length ?? 0, today };
  const cost = { requested: costOf(plan, asking), limit: config.GRAPHQL_COST_LIMIT };
  return cost.requested > cost.limit ? { cost, refusal: tooCostly(plan, asking, cost) } : { cost };
}

/** Runs an operation. Errors are part of the returned response. */
export async function perform(
  operation: () => Operation,
  given: Record<string, unknown> | undefined,
  context: GraphContext,
): Promise<Performed> {
  let isValid = false;
  try {
    const ready = operation();
    const variables = readVariables(ready.variables, given ?? {}, graphqlDialect);
    const { cost, refusal } = priceOf(ready, variables, context);
    if (refusal) {
      if (context.claim) await requireUnused(ready, context, context.claim);
      return requestError(refusal, context, { extensions: { cost } });
    }
    isValid = true;
    ready.prepare();
    const render = (result: ExecutionResult): Answer => ({
      status: 200,
      headers: {},
      body: JSON.stringify(toResponse(result, context, cost)),
    });
    const once: Once | undefined = context.claim && { claim: context.claim, render };
    const sized = withSizeLimit(ready, cost);
    const work = () => execute(sized, context, variables, once);
    const isHeavy = cost.requested > heavyCost && context.inTurn;
    const { result, replay, isFromStandby } = await (isHeavy ? context.inTurn(work) : work());
    if (replay)
      return {
        status: 200,
        headers: { 'idempotency-replayed': 'true' },
        body: JSON.parse(String(replay.body)),
      };
    return {
      status: 200,
      headers: lowerCase(appliedPreferences(isFromStandby)),
      body: toResponse(result, context, cost),
    };
  } catch (error) {
    const reused =
      isValid || !context.claim
        ? undefined
        : await requireUnused(undefined, context, context.claim).catch((other) => other);
    return requestError(toApiError(reused ?? error, context.log, context.requestId), context);
  }
}

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
