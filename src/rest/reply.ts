/** From the result of an operation to a response. */
import { hash } from 'node:crypto';
import type { ExecutionResult } from 'graphql';
import type { Context } from '../context.js';
import { toApiError } from '../edge/failure.js';
import { toJson } from '../edge/json.js';
import { ApiError, type ErrorDetails } from '../errors.js';
import { snakeCase } from '../graph/dialect.js';
import type { Answer } from '../graph/idempotency.js';
import type { Endpoint } from './operations.js';

const json = { 'Content-Type': 'application/json; charset=utf-8' };
const status = { record: 200, page: 200, set: 200, created: 201, nothing: 204 } as const;

/** The response to a successful operation: the envelope is what the operation selected. */
export function toAnswer({ route }: Endpoint, { data }: ExecutionResult, path: Readonly<Record<string, string | undefined>>): Answer {
  if (route.reply === 'nothing') return { status: 204, headers: {}, body: '' };
  if (route.reply === 'page') return { status: 200, headers: json, body: toJson(data?.list) };
  const body = JSON.stringify(data);
  const id = (data?.data as { id?: string } | undefined)?.id;
  const location = route.location?.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? id : path[name]) ?? '');
  return { status: status[route.reply], headers: location ? { ...json, Location: location } : json, body };
}

/** What went wrong in an operation, in the client's own names. */
export function toRestError(endpoint: Endpoint, { errors: [first] = [] }: ExecutionResult, { log, requestId }: Context): ApiError {
  const error = toApiError(first, log, requestId);
  return error.details
    ? new ApiError(error.code, error.message, toWireNames(endpoint, error.code, error.details), error.retryAfter)
    : error;
}

function toWireNames({ argumentNames }: Endpoint, code: ApiError['code'], details: ErrorDetails): ErrorDetails {
  if (code === 'conflict') return { ...details, field: snakeCase(String(details.field)) };
  if (code !== 'validation_error') return details;
  return Object.fromEntries(Object.entries(details).map(([path, problem]) => [argumentNames.get(path) ?? snakeCase(path), problem]));
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

/** What a client may act on without reading the body. */
export function errorHeaders({ code, retryAfter }: ApiError): Record<string, string> {
  return {
    ...(retryAfter !== undefined && { 'Retry-After': String(Math.ceil(retryAfter)) }),
    ...(code === 'insufficient_scope' && { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' }),
  };
}

/** A strong validator of a body. */
export const etagOf = (body: string | Buffer): string => `"${hash('sha256', body, 'base64url').slice(0, 27)}"`;

/** Whether an If-None-Match header names the validator. */
export const isNamed = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((each) => each.trim().replace(/^W\//, '') === etag));
