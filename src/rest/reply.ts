/** From the result of an operation to a response. */
import type { ExecutionResult } from 'graphql';
import type { Context } from '../context.js';
import { ApiError, type ErrorDetails } from '../errors.js';
import type { Answer } from '../graph/execution/idempotency.js';
import { snakeCase } from '../graph/input/dialect.js';
import { toApiError } from '../http/error-mapping.js';
import { toJson } from '../http/json.js';
import type { Endpoint } from './operations.js';

const json = { 'Content-Type': 'application/json; charset=utf-8' };
const status = { record: 200, page: 200, set: 200, created: 201, nothing: 204 } as const;

/** The response to a successful operation; the operation selects the envelope. */
export function toAnswer(
  { route }: Endpoint,
  { data }: ExecutionResult,
  path: Readonly<Record<string, string | undefined>>,
): Answer {
  if (route.reply === 'nothing') return { status: 204, headers: {}, body: '' };
  if (route.reply === 'page') return { status: 200, headers: json, body: toJson(data?.list) };
  const body = JSON.stringify(data);
  const id = (data?.data as { id?: string } | undefined)?.id;
  const location = route.location?.replace(
    /\{(\w+)\}/g,
    (_, name: string) => (name === 'id' ? id : path[name]) ?? '',
  );
  return {
    status: status[route.reply],
    headers: location ? { ...json, Location: location } : json,
    body,
  };
}

/** The error of an operation, with the property names of REST. */
export function toRestError(
  endpoint: Endpoint,
  { errors: [first] = [] }: ExecutionResult,
  { log, requestId }: Context,
): ApiError {
  const error = toApiError(first, log, requestId);
  return error.details
    ? new ApiError(
        error.code,
        error.message,
        toWireNames(endpoint, error.code, error.details),
        error.retryAfter,
      )
    : error;
}

function toWireNames(
  { argumentNames }: Endpoint,
  code: ApiError['code'],
  details: ErrorDetails,
): ErrorDetails {
  if (code === 'conflict') return { ...details, field: snakeCase(String(details.field)) };
  if (code !== 'validation_error') return details;
  return Object.fromEntries(
    Object.entries(details).map(([path, problem]) => [
      argumentNames.get(path) ?? snakeCase(path),
      problem,
    ]),
  );
}

/** The error body of the specification. */
export const errorBody = ({ code, message, details }: ApiError, requestId: string): object => ({
  error: { code, message, ...(details && { details }), request_id: requestId },
});

export const errorAnswer = (error: ApiError, requestId: string): Answer => ({
  status: error.status,
  headers: { ...json, ...errorHeaders(error) },
  body: JSON.stringify(errorBody(error, requestId)),
});

/** Headers of every error. Without `Cache-Control`, caches may store a 404, 405 or 410. */
export const errorHeaders = ({ retryAfter }: ApiError): Record<string, string> => ({
  'Cache-Control': 'no-store',
  ...(retryAfter !== undefined && { 'Retry-After': String(Math.ceil(retryAfter)) }),
});
