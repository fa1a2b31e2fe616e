/** What a GraphQL request says, by the specification of GraphQL over HTTP: the same four parameters in a body or in a query string. */
import { parseBody } from '../edge/body.js';
import { ApiError } from '../errors.js';

export interface GraphRequest {
  readonly query?: string | undefined;
  readonly operationName?: string | undefined;
  readonly variables?: Record<string, unknown> | undefined;
  readonly extensions?: Record<string, unknown> | undefined;
}

const refuse = (problem: string): never => {
  throw new ApiError('invalid_request', problem);
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws {ApiError} `invalid_request` when the body is no object, or a parameter is not of its type. */
export function requestOf(body: unknown): GraphRequest {
  const given = isObject(body) ? body : refuse('The body must be a JSON object with a query. Batches are not accepted.');
  const text = (name: string) => {
    const value = given[name] ?? undefined;
    return value === undefined || typeof value === 'string' ? value : refuse(`"${name}" must be a string.`);
  };
  const map = (name: string) => {
    const value = given[name] ?? undefined;
    return value === undefined || isObject(value) ? value : refuse(`"${name}" must be an object.`);
  };
  return { query: text('query'), operationName: text('operationName'), variables: map('variables'), extensions: map('extensions') };
}

/** @throws {ApiError} As {@link requestOf}; also when a parameter comes twice, and `malformed_json`. */
export function requestOfQuery(querystring: string): GraphRequest {
  const given = new URLSearchParams(querystring);
  const one = (name: string) => {
    const [value, ...more] = given.getAll(name);
    return more.length > 0 ? refuse(`"${name}" must be given only once.`) : value;
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
