/**
 * Behavior of graphql-jit that is not documented, verified against graphql-jit 0.8.9. Only this
 * file imports it; test/graph/execution/graphql-jit-internals.test.ts fails when the behavior changes.
 *
 * `info.fieldNodes` is the same array at each run of a compiled document, so what is derived from a
 * selection can be cached under it (reads/selection.ts, reads/records.ts).
 */
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { ApiError } from '../../errors.js';

export type { CompiledQuery } from 'graphql-jit';

/** The verified versions. Read the test before you raise them. */
export const verifiedVersions = { 'graphql-jit': '0.8.9' } as const;

/**
 * @param serializesLeaves False: scalars and enums are returned as resolvers return them.
 * @throws {ApiError} `invalid_request` when the operation cannot be compiled.
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  serializesLeaves: boolean,
): CompiledQuery {
  const compiled = compileQuery(schema, document, operationName, {
    disableLeafSerialization: !serializesLeaves,
  });
  if (isCompiledQuery(compiled)) return compiled;
  throw new ApiError('invalid_request', compiled.errors?.[0]?.message);
}
