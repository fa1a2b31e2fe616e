/** What an integrator must know before the first request. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scopes } from '../../auth/scopes.js';
import { defaultPageSize } from '../../graph/connection.js';
import { maxPageSize } from '../../graph/scalars.js';
import { packageRoot } from '../../root.js';
import type { Route } from '../routes.js';
import type { Json } from './schemas.js';

const { version, description, license } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as Record<string, string>;

const guide = `
This API is in public preview: the routes are expected to stay; fields, edge cases and reliability may change. All that these routes offer, and
more, is also at \`/graphql\`.

## Authentication

Every request carries \`Authorization: Bearer <access token>\`. An app gets its tokens by the authorization code flow of OAuth 2.1 with PKCE
(\`S256\`). An access token is short-lived (\`expires_in\` says how long); each refresh token is good for one use and comes with the next.

Three things must hold for each request: the token is valid (else 401), the app has the **API scopes** of the operation, approved by an admin of the
organization (else 403), and the person may do it (else 403). API scopes are configured per app in the developer portal and looked up at each
request. They are not requested in the \`scope\` of an authorization request, which takes only sign-in values: \`openid\`, \`profile\`, \`email\`.
\`GET /v1/me\` says what a token can do where. Each operation names its API scopes under \`x-required-scopes\`; it needs all of them.

## Lists and synchronisation

A list is a page of at most \`limit\` records (1 to ${maxPageSize}, ${defaultPageSize} when left out), ordered by \`updated_at\`, then \`id\`; only
qualification results are ordered by qualification. While \`page.has_more\` is true, send \`page.next_cursor\` as \`cursor\` for the next page, with
the same filters.

To keep a copy: read all pages, remember the greatest \`updated_at\` you saw, and later ask again with that as \`updated_after\`. **You miss no
record, ever**: not when writers commit out of order, not on ties, not when a process dies. You may see a record twice.

## Idempotency

Send an \`Idempotency-Key\` with a create, and retry with the same key and the same bytes until you have an answer: the record is created once, and each
retry gets the stored response with \`Idempotency-Replayed: true\`. A failed create is not stored. The same key with another body or route is 409;
while the first request is still under way, 503.

## Errors

Every error has the body \`{"error": {"code", "message", "details", "request_id"}}\`; \`details\` may be absent. Decide by \`code\`, show \`message\`, and quote
\`request_id\` when you report a problem. With \`validation_error\`, \`details\` maps each property or parameter to what is wrong with it. After 429 and 503, wait for
\`Retry-After\`. A path that exists, with a method that it doesn't take, is 405 with \`Allow\`.

## Values

- Bodies are JSON in UTF-8. An unknown property or parameter is refused, as is a parameter given twice.
- PATCH changes only what is sent. \`null\` clears what may be null.
- Date-times are given out in UTC with six fraction digits, and taken in RFC 3339 with any offset. Days are \`YYYY-MM-DD\`.
- HEAD works wherever GET does.
`.trim();

export const info: Json = {
  title: 'Lanyard',
  version,
  summary: description,
  description: guide,
  license: { name: license, identifier: license },
};

const groups: Record<Route['group'], string> = {
  Me: 'The identity of the token and the API scopes granted to it.',
  Certifications: 'The certification records and qualification results of the person whom the token identifies.',
  Organizations: 'Organizations, and what each keeps: members, certification records, certification types, qualifications, job roles.',
  Definitions: 'Certification types and qualifications that the caller can read, across organizations.',
};

export const tags: readonly Json[] = Object.entries(groups).map(([name, text]) => ({ name, description: text }));

const apiScopes =
  'API scopes are configured per app in the developer portal, not requested: `scope` of the authorization request takes only sign-in values (`openid`, `profile`, `email`).';

/** Two ways to say one thing: where to get a token, and where it goes. */
export function securitySchemes(baseUrl: string): Json {
  const oauth = `${baseUrl}/auth/v1/oauth`;
  const urls = { authorizationUrl: `${oauth}/authorize`, tokenUrl: `${oauth}/token`, refreshUrl: `${oauth}/token` };
  return {
    oauth2: {
      type: 'oauth2',
      description: `Authorization code with PKCE (S256). ${apiScopes}`,
      flows: { authorizationCode: { ...urls, scopes } },
    },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: `An access token. ${apiScopes}` },
  };
}
