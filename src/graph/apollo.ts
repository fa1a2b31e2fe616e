/** /graphql: Apollo Server over the same operations, with the compiled executor. */
import { ApolloServer, type ApolloServerPlugin, type GraphQLRequestContext, HeaderMap } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled, ApolloServerPluginUsageReportingDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageLocalDefault } from '@apollo/server/plugin/landingPage/default';
import { type DocumentNode, type ExecutionResult, type GraphQLFormattedError, GraphQLError, getOperationAST } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.js';
import { ApiError, statusOf } from '../errors.js';
import type { Context } from '../context.js';
import { compile, type Operation } from './compile.js';
import { execute, type Once } from './execute.js';
import { toApiError } from './failure.js';
import type { Answer, Claim } from './idempotency.js';
import { graphqlDialect, readVariables } from './input.js';
import { checkLimits, maxTokens } from './limits.js';
import { schema } from './schema.js';

/** A request's context, with the key that it may have sent for its mutation. */
export interface GraphContext extends Context {
  readonly claim: Claim | undefined;
}

/** Compiling costs about as much as running a few times; the documents that are in use fit. */
const compiled = new LRUCache<string, Operation>({ max: 300 });

function operationFor(document: DocumentNode, queryHash: string, operationName: string | undefined): Operation {
  const id = `${queryHash} ${operationName ?? ''}`;
  let operation = compiled.get(id);
  if (!operation) {
    const definition = getOperationAST(document, operationName);
    if (definition) checkLimits(document, definition);
    operation = compile(schema, document, operationName, { specifiedEnums: false });
    compiled.set(id, operation);
  }
  return operation;
}

/** The code of an error in GraphQL: the same word as in REST, in upper case. */
export const extensionsOf = ({ code, details, retryAfter }: ApiError, requestId: string) => ({
  code: code.toUpperCase(),
  ...(details && { details }),
  ...(retryAfter !== undefined && { retry_after: Math.ceil(retryAfter) }),
  request_id: requestId,
});

/** An error of the whole request also sets the status of the response. */
function requestError(error: ApiError, requestId: string): ExecutionResult {
  const headers = new HeaderMap(error.retryAfter === undefined ? [] : [['retry-after', String(Math.ceil(error.retryAfter))]]);
  const http = { status: statusOf(error.code), headers };
  return { errors: [new GraphQLError(error.message, { extensions: { ...extensionsOf(error, requestId), http } })] };
}

function shown(error: GraphQLError, context: Context): GraphQLError {
  const apiError = toApiError(error, context.log, context.requestId);
  const http = apiError.code === 'unauthenticated' ? { http: { status: 401, headers: new HeaderMap([['www-authenticate', 'Bearer']]) } } : {};
  const { nodes, path } = error;
  return new GraphQLError(apiError.message, {
    nodes: nodes ?? null,
    path: path ?? null,
    extensions: { ...extensionsOf(apiError, context.requestId), ...http },
  });
}

const showErrors = (result: ExecutionResult, context: Context): ExecutionResult =>
  result.errors ? { ...result, errors: result.errors.map((error) => shown(error, context)) } : result;

async function run({ document, queryHash, request, contextValue: context, response }: GraphQLRequestContext<GraphContext>): Promise<ExecutionResult> {
  try {
    const operation = operationFor(document as DocumentNode, queryHash ?? '', request.operationName);
    const variables = readVariables(operation.variables, request.variables ?? {}, graphqlDialect);
    const render = (result: ExecutionResult): Answer => ({ status: 200, headers: {}, body: JSON.stringify(result) });
    const once: Once | undefined = context.claim && { claim: context.claim, render };
    const { result, replay } = await execute(operation, context, variables, once);
    if (!replay) return showErrors(result, context);
    response.http.headers.set('idempotency-replayed', 'true');
    return JSON.parse(replay.body) as ExecutionResult;
  } catch (error) {
    return requestError(toApiError(error, context.log, context.requestId), context.requestId);
  }
}

/** Errors that Apollo finds itself (a document that can't be parsed, or doesn't fit the schema) get our code. */
function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const ours = formatted.extensions && 'request_id' in formatted.extensions;
  const internal = !ours && !(error instanceof GraphQLError);
  if (internal) return { message: new ApiError('internal_error').message, extensions: { code: 'INTERNAL_ERROR' } };
  return ours ? formatted : { ...formatted, extensions: { code: 'INVALID_REQUEST' } };
}

const requestIds: ApolloServerPlugin<GraphContext> = {
  requestDidStart: async () => ({
    willSendResponse: async ({ response: { body }, contextValue: { requestId } }) => {
      if (body.kind !== 'single' || !body.singleResult.errors) return;
      body.singleResult.errors = body.singleResult.errors.map((error) => ({ ...error, extensions: { ...error.extensions, request_id: requestId } }));
    },
  }),
};

/** @returns The server, started. */
export async function startApollo(config: Config): Promise<ApolloServer<GraphContext>> {
  const server = new ApolloServer<GraphContext>({
    // A gateway is how Apollo takes an executor of one's own.
    gateway: {
      onSchemaLoadOrUpdate(callback) {
        callback({ apiSchema: schema, coreSupergraphSdl: '' });
        return () => {};
      },
      load: async () => ({ executor: (request) => run(request as unknown as GraphQLRequestContext<GraphContext>) as never }),
      stop: async () => {},
    },
    introspection: config.GRAPHQL_INTROSPECTION,
    parseOptions: { maxTokens },
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    formatError,
    stopOnTerminationSignals: false,
    plugins: [
      requestIds,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginLandingPageLocalDefault({ embed: { runTelemetry: false }, footer: false }),
    ],
  });
  await server.start();
  return server;
}
