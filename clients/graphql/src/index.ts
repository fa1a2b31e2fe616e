/** The GraphQL client of Lanyard. */
export {
  createLanyardGraphQL,
  type LanyardGraphQL,
  type LanyardGraphQLOptions,
  type RequestOptions,
} from './client.js';
export { LanyardGraphQLError } from './errors.js';
export * from './operations.js';
export type { StreamEvent, StreamOptions } from './stream.js';
export type { TokenSource } from './transport.js';
export type { Cost, GraphQLProblem, Operation, Result } from './types.js';
