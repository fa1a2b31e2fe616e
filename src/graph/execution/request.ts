/**
 * Parses a GraphQL request (GraphQL over HTTP): the same four parameters in a body or a query
 * string.
 */
import type { GraphQLFormattedError } from 'graphql';
import { ApiError } from '../../errors.js';
import { parseBody } from '../../http/body.js';

export interface GraphRequest {
  readonly query?: string | undefined;
  readonly operationName?: string | undefined;
  readonly variables?: Record<string, unknown> | undefined;
  readonly extensions?: Record<string, unknown> | undefined;
}

const rejectRequest = (problem: string): never => {
  throw new ApiError('invalid_request', problem);
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @throws {ApiError} `invalid_request` when the body is not an object or a parameter has a wrong
 * type.
 */
export function requestOf(body: unknown): GraphRequest {
  const given = isObject(body)
    ? body
    : rejectRequest('The body must be a JSON object with a query. Batches are not accepted.');
  const text = (name: string) => {
    const value = given[name] ?? undefined;
    return value === undefined || typeof value === 'string'
      ? value
      : rejectRequest(`"${name}" must be a string.`);
  };
  const map = (name: string) => {
    const value = given[name] ?? undefined;
    return value === undefined || isObject(value)
      ? value
      : rejectRequest(`"${name}" must be an object.`);
  };
  return {
    query: text('query'),
    operationName: text('operationName'),
    variables: map('variables'),
    extensions: map('extensions'),
  };
}

/** @throws {ApiError} As {@link requestOf}; also for a repeated parameter, and `malformed_json`. */
export function requestOfQuery(querystring: string): GraphRequest {
  const given = new URLSearchParams(querystring);
  const one = (name: string) => {
    const [value, ...more] = given.getAll(name);
    return more.length > 0 ? rejectRequest(`"${name}" must be given only once.`) : value;
  };
  const json = (name: string) => {
    const text = one(name);
    return text === undefined ? undefined : parseBody(Buffer.from(text));
  };
  return requestOf({
    query: one('query'),
    operationName: one('operationName'),
    variables: json('variables'),
    extensions: json('extensions'),
  });
}

/**
 * Whether a request identifies its document only by a hash, as in Apollo's automatic persisted
 * queries.
 */
export const isPersistedOnly = ({ query, extensions }: GraphRequest): boolean =>
  query === undefined && isObject(extensions?.persistedQuery);

/** The error that makes a client of Apollo's protocol send the query text: its message and code. */
export const persistedQueryError = (requestId: string): GraphQLFormattedError => ({
  message: 'PersistedQueryNotSupported',
  extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED', request_id: requestId },
});
