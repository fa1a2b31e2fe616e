/** /graphql: Apollo Server over the same operations, with the compiled executor. */
import {
  ApolloServer,
  type ApolloServerPlugin,
  type GraphQLRequestContext,
  type GraphQLResponse,
  HeaderMap,
  type HTTPGraphQLHead,
} from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled, ApolloServerPluginUsageReportingDisabled } from '@apollo/server/plugin/disabled';
import {
  type DocumentNode,
  type ExecutionResult,
  type FormattedExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  getOperationAST,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.js';
import type { Context } from '../context.js';
import { toApiError } from '../edge/failure.js';
import { appliedPreferences } from '../edge/prefer.js';
import { ApiError } from '../errors.js';
import { describesSchema } from './access.js';
import { compile, type Operation } from './compile.js';
import { type Cost, costOf, tooCostly } from './cost/check.js';
import { execute, type Once } from './execute.js';
import type { Answer, Claim } from './idempotency.js';
import { graphqlDialect, readVariables } from './input.js';
import { checkLimits, maxTokens } from './limits.js';
import { emptySandbox } from './sandbox.js';
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

export function operationFor(document: DocumentNode, queryHash: string, operationName: string | undefined): Operation {
  const id = `${queryHash} ${operationName ?? ''}`;
  let operation = compiled.get(id);
  if (!operation) {
    const definition = getOperationAST(document, operationName);
    if (definition) checkLimits(document, definition);
    operation = compile(schema, document, operationName, { specifiedEnums: false });
    compiled.set(id, operation, { size: document.loc?.end ?? 1000 });
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

/** An error of the whole request, before any field was run, is the status of the response too. */
function requestError(error: ApiError, requestId: string, more: FormattedExecutionResult = {}): GraphQLResponse {
  const headers = new HeaderMap([
    ...(error.retryAfter === undefined ? [] : [['retry-after', String(Math.ceil(error.retryAfter))] as const]),
    ...(error.code === 'unauthenticated' ? [['www-authenticate', 'Bearer'] as const] : []),
  ]);
  const errors = [{ message: error.message, extensions: extensionsOf(error, requestId) }];
  return respond({ errors, ...more }, { status: error.status, headers });
}

function respond(singleResult: FormattedExecutionResult, http?: Partial<HTTPGraphQLHead>): GraphQLResponse {
  return { http: { headers: new HeaderMap(), ...http }, body: { kind: 'single', singleResult } };
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

const fieldsOf = (isFromStandby: boolean | undefined): HeaderMap =>
  new HeaderMap(Object.entries(appliedPreferences(isFromStandby)).map(([name, value]) => [name.toLowerCase(), value]));

async function run({ document, queryHash, request, contextValue: context }: GraphQLRequestContext<GraphContext>): Promise<GraphQLResponse> {
  try {
    // Before anything is compiled: without a token there is nothing to have but the description of the schema.
    if (!context.principal && !describesSchema(document as DocumentNode)) throw new ApiError('unauthenticated');
    const operation = operationFor(document as DocumentNode, queryHash ?? '', request.operationName);
    const variables = readVariables(operation.variables, request.variables ?? {}, graphqlDialect);
    const cost = { requested: costOf(operation.plan, variables), limit: context.config.GRAPHQL_COST_LIMIT };
    if (cost.requested > cost.limit)
      return requestError(tooCostly(operation.plan, variables, cost), context.requestId, { extensions: { cost } });
    const render = (result: ExecutionResult): Answer => ({
      status: 200,
      headers: {},
      body: JSON.stringify(toResponse(result, context, cost)),
    });
    const once: Once | undefined = context.claim && { claim: context.claim, render };
    const { result, replay, isFromStandby } = await execute(operation, context, variables, once);
    if (replay) return respond(JSON.parse(replay.body), { headers: new HeaderMap([['idempotency-replayed', 'true']]) });
    return respond(toResponse(result, context, cost), { headers: fieldsOf(isFromStandby) });
  } catch (error) {
    return requestError(toApiError(error, context.log, context.requestId), context.requestId);
  }
}

/** Runs every operation through the one door, in place of Apollo's own execution. */
const oneDoor: ApolloServerPlugin<GraphContext> = {
  requestDidStart: async () => ({ responseForOperation: run }),
};

/** A mutation by GET. */
const isOfMethod = ({ extensions }: GraphQLError): boolean => (extensions.http as Partial<HTTPGraphQLHead> | undefined)?.status === 405;

/**
 * Errors that Apollo finds itself (a document that can't be parsed, or doesn't fit the schema) get our code, and no more room than that takes;
 * some quote what was sent, whatever its length. Anything else is not for clients.
 */
const formatError = (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError =>
  error instanceof GraphQLError
    ? {
        message: formatted.message.slice(0, 500),
        ...(formatted.locations && { locations: formatted.locations.slice(0, 10) }),
        extensions: { code: isOfMethod(error) ? 'METHOD_NOT_ALLOWED' : 'INVALID_REQUEST' },
      }
    : { message: new ApiError('internal_error').message, extensions: { code: 'INTERNAL_ERROR' } };

/** Errors of Apollo's own get the request id as ours have it. */
const requestIds: ApolloServerPlugin<GraphContext> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ response: { body }, contextValue: { requestId } }) => {
      if (body.kind !== 'single' || !body.singleResult.errors) return;
      body.singleResult.errors = body.singleResult.errors.map((error) => ({
        ...error,
        extensions: { ...error.extensions, request_id: requestId },
      }));
    },
  }),
};

/** @returns The server, started. */
export async function startApollo(config: Config): Promise<ApolloServer<GraphContext>> {
  const server = new ApolloServer<GraphContext>({
    schema,
    introspection: config.GRAPHQL_INTROSPECTION,
    parseOptions: { maxTokens },
    validationOptions: { maxErrors: 20 },
    // A page of another origin has no part in this: only a header lets anyone in, no cookie counts, and GET only reads.
    csrfPrevention: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    formatError,
    stopOnTerminationSignals: false,
    plugins: [oneDoor, requestIds, ApolloServerPluginCacheControlDisabled(), ApolloServerPluginUsageReportingDisabled(), emptySandbox()],
  });
  await server.start();
  return server;
}
