/** Responses of an operation: statuses, headers, and errors from the error table. */
import { STATUS_CODES } from 'node:http';
import {
  ApiError,
  type ErrorCode,
  type ErrorDetails,
  errorCodes,
  messageOf,
  statusOf,
} from '../../errors.js';
import type { Answer } from '../../graph/execution/idempotency.js';
import type { Endpoint } from '../operations.js';
import { errorBody } from '../reply.js';
import { isConditional, type Reply } from '../routes.js';
import { guidance } from './error-guidance.js';
import { referTo, responseHeaders } from './headers.js';
import { type Json, objectOf } from './schemas.js';

/** Headers on the responses to every authenticated request. */
const always = [
  'X-Request-Id',
  'Access-Control-Allow-Origin',
  'RateLimit',
  'RateLimit-Policy',
] as const;

/** Whether the operation is a query. */
export const isRead = ({ route }: Endpoint): boolean => route.method === 'GET';

/** Whether the response has an entity tag. */
export const hasETag = (endpoint: Endpoint): boolean =>
  isRead(endpoint) && endpoint.route.reply !== 'page';

/** The `Error` schema of the specification. */
export const errorSchema: Json = {
  description: 'The body of every error.',
  ...objectOf({
    error: objectOf(
      {
        code: { type: 'string', description: 'Error code, for programs.' },
        message: { type: 'string', description: 'Error message, for people.' },
        details: {
          type: 'object',
          additionalProperties: true,
          description: 'Further information, depending on the code.',
        },
        request_id: { type: 'string', description: 'The `X-Request-Id` of the response.' },
      },
      ['code', 'message'],
    ),
  }),
};

const exampleDetails: Partial<Record<ErrorCode, ErrorDetails>> = {
  insufficient_scope: { required_scope: 'certification_records:write' },
  approval_required: { required_scope: 'certification_records:write' },
  conflict: { field: 'external_id' },
  invalid_transition: { from: 'revoked', to: 'active' },
  precondition_failed: { current: '2026-03-01T09:30:00.000000Z' },
  validation_error: {
    certification_type_id: ['is required'],
    'requirements.0.certification_type_id': ['must be a UUID'],
  },
};

const requestId = '5f0c7f0e-9f0b-4d57-8a55-6a3a2f3f6c1d';

/** An error body with this code. */
export const exampleError = (code: ErrorCode, details = exampleDetails[code]): object =>
  errorBody(new ApiError(code, undefined, details), requestId);

const errorHeaders: Readonly<Record<number, Json>> = {
  401: {
    ...referTo('X-Request-Id', 'Access-Control-Allow-Origin'),
    'WWW-Authenticate': { ...responseHeaders['WWW-Authenticate'], required: true },
  },
  403: referTo(...always, 'WWW-Authenticate'),
  429: referTo(...always, 'Retry-After'),
  503: referTo(...always, 'Retry-After'),
};

/** `404` → `NotFound` */
const statusName = (status: number): string => (STATUS_CODES[status] ?? '').replaceAll(' ', '');

function errorResponse(status: number): Json {
  const codes = errorCodes.filter((code) => statusOf(code) === status);
  const narrowed = {
    type: 'object',
    properties: { error: { type: 'object', properties: { code: { enum: codes } } } },
  };
  return {
    description: codes
      .map((code) => `\`${code}\`: ${messageOf(code)} ${guidance[code].advice}`)
      .join('\n\n'),
    headers: errorHeaders[status] ?? referTo(...always),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Error' }, narrowed] },
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: messageOf(code), value: exampleError(code) }]),
        ),
      },
    },
  };
}

/**
 * The errors of an operation. An organization without access is 403 whether or not it exists, so
 * 404 concerns later segments of the path. Removing a missing record is a success. 409 concerns
 * unique values and idempotency keys.
 */
function errorsOf({ route, body, scopes, pathVariables }: Endpoint): number[] {
  const can: Readonly<Record<number, boolean>> = {
    400: Boolean(body) || isConditional(route),
    401: true,
    403: scopes.length > 0,
    404: pathVariables.some((name) => name !== 'organization_id') && route.reply !== 'nothing',
    409: route.reply === 'created' || route.method === 'PATCH',
    412: isConditional(route),
    413: Boolean(body),
    415: Boolean(body),
    422: true,
    429: true,
    500: true,
    503: true,
  };
  return Object.keys(can)
    .map(Number)
    .filter((status) => can[status]);
}

/** One component per error status. */
export function errorResponses(endpoints: readonly Endpoint[]): Record<string, Json> {
  const statuses = [...new Set(endpoints.flatMap(errorsOf))].sort();
  return Object.fromEntries(statuses.map((status) => [statusName(status), errorResponse(status)]));
}

const said: Record<Reply, string> = {
  record: 'The record.',
  created: 'The new record.',
  page: 'A page of the list.',
  set: 'The whole set.',
  nothing: 'Removed, or did not exist.',
};

/**
 * All responses of an operation.
 * @param answer An example of success.
 * @param schema Of its body.
 */
export function responsesOf(endpoint: Endpoint, answer: Answer, schema: Json): Json {
  const { reply } = endpoint.route;
  const success = {
    description: said[reply],
    headers: referTo(
      ...always,
      isRead(endpoint) && 'Cache-Control',
      isRead(endpoint) && 'Preference-Applied',
      hasETag(endpoint) && 'ETag',
      reply === 'created' && 'Idempotency-Replayed',
      'Location' in answer.headers && 'Location',
    ),
    ...(answer.body && {
      content: { 'application/json': { schema, example: JSON.parse(String(answer.body)) } },
    }),
  };
  const unchanged = {
    description: 'Unchanged since the response with this `ETag`.',
    headers: referTo(...always, 'Cache-Control', 'Preference-Applied', 'ETag'),
  };
  return {
    [answer.status]: success,
    ...(hasETag(endpoint) && { 304: unchanged }),
    ...Object.fromEntries(
      errorsOf(endpoint).map((status) => [
        status,
        { $ref: `#/components/responses/${statusName(status)}` },
      ]),
    ),
  };
}
