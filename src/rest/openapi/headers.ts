/** The header fields of requests and responses. */
import type { Json } from './schemas.js';

const text = { type: 'string' };
const caller = 'per caller (the person and the app together); absent when the limit is off';

/** Of requests, as parameters. */
export const requestHeaders = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes the create happen once, however often it is sent: 1 to 255 visible ASCII characters, a new one for each record.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of what you have: the answer is 304 while it is still right.',
    schema: text,
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`read=standby` allows the answer to come from a standby of the database (RFC 7240). It is as fresh as any other: what was committed before the request is in it.',
    schema: text,
    example: 'read=standby',
  },
} as const satisfies Record<string, Json>;

/** Of responses. Those that are required are on every response that names them. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'Names this request in errors and logs: your own `X-Request-Id`, or a new one.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  RateLimit: { description: `What is left of the rate, ${caller}.`, schema: text, example: '"caller";r=599;t=60' },
  'RateLimit-Policy': { description: `The rate, ${caller}.`, schema: text, example: '"caller";q=600;w=60' },
  'Retry-After': { description: 'Seconds until a retry makes sense.', required: true, schema: { type: 'integer', minimum: 0 } },
  ETag: { description: 'A validator of the body, for `If-None-Match`.', required: true, schema: { type: 'string', pattern: '^".+"$' } },
  'Cache-Control': {
    description: 'For your own cache only; ask again before you use it.',
    required: true,
    schema: { const: 'private, no-cache' },
  },
  Location: { description: 'Where the new record can be read again.', required: true, schema: { type: 'string', format: 'uri-reference' } },
  'Idempotency-Replayed': { description: 'On the stored response to an earlier request with the same key.', schema: { const: 'true' } },
  'Preference-Applied': { description: 'On an answer that came from a standby, as `Prefer` allowed.', schema: { const: 'read=standby' } },
  'WWW-Authenticate': { description: 'What is wrong with the token (RFC 6750).', schema: { type: 'string', pattern: '^Bearer' } },
} as const satisfies Record<string, Json>;

/** The headers of a response, of the names that are not false. */
export const referTo = (...names: (keyof typeof responseHeaders | false)[]): Json =>
  Object.fromEntries(names.filter((name) => name !== false).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
