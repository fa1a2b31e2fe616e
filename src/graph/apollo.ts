/** Apollo Server: what parses and validates the documents of /graphql, and has the Sandbox. Operations run in perform.ts. */
import {
  ApolloServer,
  type ApolloServerPlugin,
  type GraphQLRequestContext,
  type GraphQLResponse,
  HeaderMap,
  type HTTPGraphQLHead,
} from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled, ApolloServerPluginUsageReportingDisabled } from '@apollo/server/plugin/disabled';
import { type DocumentNode, GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Config } from '../config.js';
import { ApiError } from '../errors.js';
import { describesSchema } from './access.js';
import { maxTokens } from './limits.js';
import { type GraphContext, operationFor, perform } from './perform.js';
import { emptySandbox } from './sandbox.js';
import { schema } from './schema.js';

async function run({
  document,
  source = '',
  request,
  contextValue: context,
}: GraphQLRequestContext<GraphContext>): Promise<GraphQLResponse> {
  const operation = () => {
    // Before anything is compiled: without a token there is nothing to have but the description of the schema.
    if (!context.principal && !describesSchema(document as DocumentNode)) throw new ApiError('unauthenticated');
    return operationFor(document as DocumentNode, source, request.operationName);
  };
  const { status, headers, body } = await perform(operation, request.variables, context);
  return { http: { status, headers: new HeaderMap(Object.entries(headers)) }, body: { kind: 'single', singleResult: body } };
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
