/**
 * Interfaces of Apollo Server that are not documented, verified against @apollo/server 5.5.1. Only
 * this file uses them; test/graph/execution/apollo-internals.test.ts fails when one of them is gone.
 */
import type { GraphQLRequestContext, HTTPGraphQLHead } from '@apollo/server';
import type { DocumentNode, GraphQLError } from 'graphql';

/** The verified versions. Read the test before you raise them. */
export const verifiedVersions = { '@apollo/server': '5.5.1' } as const;

/**
 * Call it in `didResolveSource`: Apollo then does not parse, validate or cache the source. The
 * server must have no `documentStore`.
 */
export const useDocument = (
  request: Pick<GraphQLRequestContext<object>, 'source'>,
  document: DocumentNode,
): void => void Object.assign(request, { document });

/** Whether Apollo raised the error for a mutation that was sent by GET. */
export const isWrongMethod = ({ extensions }: GraphQLError): boolean =>
  (extensions.http as Partial<HTTPGraphQLHead> | undefined)?.status === 405;
