/** Typical errors of an operation, as the server sends them. */
import { ApiError, type ErrorCode, type ErrorDetails, statusOf } from '../errors.js';
import { exampleError } from '../rest/openapi/responses.js';
import type { Endpoint } from '../rest/operations.js';
import { readInput } from '../rest/router.js';
import { isConditional } from '../rest/routes.js';
import type { Schema } from './openapi.js';
import type { ExampleRequest } from './samples.js';

export interface Failure {
  readonly code: ErrorCode;
  readonly status: number;
  /** The mistake: `without certification_type_id`. */
  readonly cause: string;
  readonly body: object;
}

/** An example request with a typical mistake. */
export interface Mistake {
  readonly cause: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  readonly body: unknown;
}

/** @param bodySchema The schema of the request body, if there is one. */
export function mistakeIn(request: ExampleRequest, bodySchema: Schema | undefined): Mistake {
  const { parameters: path, query, body } = request;
  const right = { path, query: '', body };
  const [required] = bodySchema?.required ?? [];
  if (required) {
    const { [required]: _, ...others } = body as Record<string, unknown>;
    return { ...right, cause: `without ${required}`, body: others };
  }
  if (bodySchema)
    return {
      ...right,
      cause: 'with an unknown property',
      body: { ...(body as object), color: 'red' },
    };
  if ('limit' in query) return { ...right, cause: 'with limit=1000', query: 'limit=1000' };
  const id = Object.keys(path).at(-1);
  return id
    ? { ...right, cause: `with a name as ${id}`, path: { ...path, [id]: 'night-crew' } }
    : { ...right, cause: 'with an unknown parameter', query: 'verbose=true' };
}

/** In the order of their statuses; those that every operation has are left out. */
export function failuresOf(
  endpoint: Endpoint,
  request: ExampleRequest,
  bodySchema: Schema | undefined,
): Failure[] {
  const { route, scopes } = endpoint;
  const failures: Failure[] = [];
  const add = (code: ErrorCode, cause: string, details?: ErrorDetails) =>
    failures.push({ code, status: statusOf(code), cause, body: exampleError(code, details) });
  const [scope] = scopes;
  if (scope) add('insufficient_scope', `when the app lacks ${scope}`, { required_scope: scope });
  if (route.reply === 'created')
    add('idempotency_key_reused', 'when the Idempotency-Key has another request');
  if (isConditional(route)) add('precondition_failed', 'when If-Match has an older version');
  const mistake = mistakeIn(request, bodySchema);
  add('validation_error', mistake.cause, detailsOf(endpoint, mistake));
  return failures;
}

function detailsOf(endpoint: Endpoint, { path, query, body }: Mistake): ErrorDetails {
  try {
    readInput(endpoint, path, query, body);
  } catch (error) {
    if (error instanceof ApiError && error.details) return error.details;
    throw error;
  }
  throw new Error(`${endpoint.route.operation} accepts a request that should be a mistake.`);
}
