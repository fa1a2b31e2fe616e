/** The header fields of requests and responses. */
import type { Json } from './schemas.js';

const text = { type: 'string' };
const caller = 'per caller (person and app together); absent if the limit is off';

/** Request headers, as parameters. */
export const requestHeaders = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Key for safe retries: the record is created once, even if the request is sent several times. 1 to 255 visible ASCII characters, unique per record.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  'If-Match': {
    name: 'If-Match',
    in: 'header',
    description:
      'Version that the record must still have, otherwise 412: its `ETag`, or its `updated_at` in double quotes. `*` requires that the record exists. Default: any version.',
    schema: text,
    example: '"2026-03-01T09:30:00.000000Z"',
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: '`ETag` of an earlier response. The response is 304 if the content is unchanged.',
    schema: text,
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`read=standby` allows a response from a standby of the database (RFC 7240). It contains everything that was committed before the request; with `read=standby; max-age=5`, everything up to five seconds before it (1 to 300).',
    schema: text,
    example: 'read=standby',
  },
} as const satisfies Record<string, Json>;

/** Response headers. Required ones are present on every response that refers to them. */
export const responseHeaders = {
  'X-Request-Id': {
    description:
      'Identifies this request in errors and logs: your own `X-Request-Id`, or a new one.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  RateLimit: {
    description: `Remaining requests of the rate limit, ${caller}.`,
    schema: text,
    example: '"caller";r=599;t=60',
  },
  'RateLimit-Policy': {
    description: `Rate limit, ${caller}.`,
    schema: text,
    example: '"caller";q=600;w=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  ETag: {
    description:
      'Entity tag of the body, for `If-None-Match`. The tag of a record begins with its version and can be sent as `If-Match`. The tag of a result is weak and ignores `evaluated_at`.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?".+"$' },
  },
  'Cache-Control': {
    description: 'Private caches only; revalidate before use.',
    required: true,
    schema: { const: 'private, no-cache' },
  },
  Location: {
    description: 'Path of the new record.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored response of an earlier request with the same key.',
    schema: { const: 'true' },
  },
  'Preference-Applied': {
    description: 'Present if a standby served the response, as `Prefer` allowed.',
    schema: { const: 'read=standby' },
  },
  'WWW-Authenticate': {
    description:
      'Error of the token (RFC 6750), and address of the protected resource metadata (RFC 9728).',
    schema: { type: 'string', pattern: '^Bearer realm="' },
    example:
      'Bearer realm="Lanyard", resource_metadata="https://lanyard.example/.well-known/oauth-protected-resource/v1"',
  },
  'Access-Control-Allow-Origin': {
    description: 'Present if the request has `Origin`: pages of any origin may read the response.',
    schema: { const: '*' },
  },
} as const satisfies Record<string, Json>;

/** References to the headers of a response; `false` is skipped. */
export const referTo = (...names: (keyof typeof responseHeaders | false)[]): Json =>
  Object.fromEntries(
    names
      .filter((name) => name !== false)
      .map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
