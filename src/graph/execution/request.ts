/**
 * Parses a GraphQL request (GraphQL over HTTP): the same four parameters in a body or a query
 * string.
 */
import type { Principal } from '../../auth/policy.js';
import { ApiError } from '../../errors.js';
import { parseBody } from '../../http/body.js';

export interface GraphRequest {
  readonly query?: string | undefined;
  readonly operationName?: string | undefined;
  readonly variables?: Record<string, unknown> | undefined;
  readonly extensions?: Record<string, unknown> | undefined;
  /** From the extensions. */
  readonly persisted?: PersistedQuery | undefined;
}

/** A document named by its hash, or by its id in a manifest of trusted documents. */
export interface PersistedQuery {
  readonly hash: string;
}

/** The documents that a server runs: all, or those of a manifest. */
export interface Documents {
  /**
   * The text of a request's document.
   * @throws {UnknownQuery} when there is only a hash, and its document is unknown.
   * @throws {ApiError} `invalid_request` when there is no document, or it may not run.
   */
  textOf(request: GraphRequest, principal: Principal | undefined): string;
  /** Keeps a valid document for requests that name its hash, if the request allows it. */
  register(request: GraphRequest, principal: Principal | undefined): void;
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
  const extensions = map('extensions');
  return {
    query: text('query'),
    operationName: text('operationName'),
    variables: map('variables'),
    extensions,
    persisted: persistedQueryOf(extensions?.persistedQuery ?? undefined),
  };
}

/** Apollo's protocol: `{ "persistedQuery": { "version": 1, "sha256Hash": "…" } }`. */
function persistedQueryOf(given: unknown): PersistedQuery | undefined {
  if (given === undefined) return undefined;
  if (!isObject(given) || given.version !== 1 || typeof given.sha256Hash !== 'string')
    return rejectRequest(
      '"extensions.persistedQuery" must be an object with "version": 1 and "sha256Hash", a string.',
    );
  return { hash: given.sha256Hash };
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
