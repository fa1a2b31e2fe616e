/**
 * Apollo Server implements the protocol of /graphql. document.ts parses documents, perform.ts runs
 * operations.
 */
import {
  ApolloServer,
  type ApolloServerPlugin,
  type GraphQLRequestContext,
  type GraphQLResponse,
  HeaderMap,
  type HTTPGraphQLHead,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { type DocumentNode, GraphQLError, type GraphQLFormattedError } from 'graphql';
import { ApiError } from '../../errors.js';
import { schema } from '../schema.js';
import { type GraphContext, operationFor, perform } from './perform.js';

async function run({
  document,
  source = '',
  request,
  contextValue: context,
}: GraphQLRequestContext<GraphContext>): Promise<GraphQLResponse> {
  const operation = () =>
    operationFor(document as DocumentNode, source, request.operationName, !context.principal);
  const { status, headers, body } = await perform(operation, request.variables, context);
  return {
    http: { status, headers: new HeaderMap(Object.entries(headers)) },
    body: { kind: 'single', singleResult: body },
  };
}

/** Executes operations with our executor instead of Apollo's. */
const oneDoor: ApolloServerPlugin<GraphContext> = {
  requestDidStart: async () => ({
    // Given a document, Apollo does not parse, validate or cache one.
    async didResolveSource(request) {
      const { document } = request.contextValue;
      if (document) Object.assign(request, { document });
    },
    responseForOperation: run,
  }),
};

/** A mutation sent by GET. */
const isOfMethod = ({ extensions }: GraphQLError): boolean =>
  (extensions.http as Partial<HTTPGraphQLHead> | undefined)?.status === 405;

/** Maps errors that Apollo raises to our codes. All others are internal. */
const formatError = (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError =>
  error instanceof GraphQLError
    ? {
        message: formatted.message,
        extensions: { code: isOfMethod(error) ? 'METHOD_NOT_ALLOWED' : 'INVALID_REQUEST' },
      }
    : { message: new ApiError('internal_error').message, extensions: { code: 'INTERNAL_ERROR' } };

/** Adds the request id to errors that Apollo raises. */
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

/** @returns The started server. */
export async function startApollo(): Promise<ApolloServer<GraphContext>> {
  const server = new ApolloServer<GraphContext>({
    schema,
    documentStore: null,
    // Apollo's CSRF prevention is not needed: authentication uses a header only, no cookie counts,
    // and GET only reads.
    csrfPrevention: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    formatError,
    stopOnTerminationSignals: false,
    plugins: [
      oneDoor,
      requestIds,
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      // Apollo's landing page would load third-party scripts into the portal's origin.
      ApolloServerPluginLandingPageDisabled(),
    ],
  });
  await server.start();
  return server;
}
