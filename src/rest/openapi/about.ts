/** The introduction, tags and security schemes of the OpenAPI document. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scopes } from '../../auth/scopes.js';
import { defaultPageSize } from '../../graph/reads/connection.js';
import { packageRoot } from '../../root.js';
import { maxPageSize } from '../../scalars/scalars.js';
import type { Route } from '../routes.js';
import type { Json } from './schemas.js';

const { version, description, license } = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
) as Record<string, string>;

const guide = `
This API is in public preview: the routes are expected to stay; fields, edge cases and reliability may change. \`/graphql\` offers
the same data, and more.

## Authentication

Every request needs the header \`Authorization: Bearer <access token>\`. An app gets its tokens by the authorization code flow of OAuth 2.1 with
PKCE (\`S256\`). An access token is valid for \`expires_in\` seconds. A refresh token can be used once; the response has the next one.

Each request must pass three checks: the token is valid (otherwise 401), the app has the **API scopes** of the operation, approved by an admin of
the organization (otherwise 403), and the person has the permission (otherwise 403). API scopes are configured per app in the developer portal and
looked up on each request. They are not requested in the \`scope\` of an authorization request, which accepts only sign-in scopes: \`openid\`,
\`profile\`, \`email\`. \`GET /v1/me\` returns the permissions of a token in each organization. Each operation lists its API scopes under
\`x-required-scopes\`; it needs all of them.

## Lists and synchronization

A list returns pages of at most \`limit\` records (1 to ${maxPageSize}, default ${defaultPageSize}), ordered by \`updated_at\`, then \`id\`; only
qualification results are ordered by qualification. While \`page.has_more\` is true, send \`page.next_cursor\` as \`cursor\` for the next page, with
the same filters.

To keep a copy: read all pages, store the greatest \`updated_at\`, and later read again with that value as \`updated_after\`. **You never miss a
record**, even with concurrent writes, equal timestamps, and when a process dies. You may receive a record twice.

## Idempotency

Send an \`Idempotency-Key\` with a create, and retry with the same key and the same bytes until you receive a response. The record is created once,
and each retry gets the stored response with \`Idempotency-Replayed: true\`. A failed create is not stored. The same key with another body or route
is 409; while the first request is in progress, 503.

## Errors

Every error has the body \`{"error": {"code", "message", "details", "request_id"}}\`; \`details\` may be absent. Branch on \`code\`, show \`message\`, and quote
\`request_id\` when you report a problem. With \`validation_error\`, \`details\` maps each property or parameter to its problems. After 429 and 503,
wait for \`Retry-After\`. A known path with an unsupported method is 405 with \`Allow\`.

## Values

- Bodies are JSON in UTF-8. An unknown property or parameter is 422, as is a repeated parameter; a repeated property is 400.
- New properties can be added to responses at any time. Ignore properties that you do not know.
- PATCH changes only the properties that are sent. \`null\` clears a nullable property; in a create, it is equivalent to an omitted one.
- Text is stored in Unicode NFC without leading and trailing spaces. Control characters, bidirectional controls and text of invisible characters
  alone are 422; line breaks are allowed in descriptions. Blank text is \`null\` where \`null\` is allowed.
- Date-times are returned in UTC with six fraction digits, and accepted in RFC 3339 with any offset. Days are \`YYYY-MM-DD\`. Years are 0001 to 9999.
- Every GET also supports HEAD. A trailing slash is 404.
- Web pages of any origin can call the API (CORS): every path supports preflight requests, and responses expose all headers in this document.
  Cookies are ignored.
`.trim();

/** @param baseUrl As {@link securitySchemes}. */
export const infoOf = (baseUrl: string): Json => ({
  title: 'Lanyard',
  version,
  summary: description,
  description: guide,
  contact: { name: 'Lanyard', url: `${baseUrl}/docs` },
  license: { name: license, identifier: license },
});

const groups: Record<Route['group'], string> = {
  Me: 'The current user, app and permissions.',
  Certifications: 'Certifications and qualification results of the current user.',
  Organizations:
    'Organizations with their members, certifications, certification types, qualifications and job roles.',
  Definitions:
    'Certification types and qualifications of all organizations of the caller, and standard ones.',
};

export const tags: readonly Json[] = Object.entries(groups).map(([name, text]) => ({
  name,
  description: text,
}));

const apiScopes =
  'API scopes are configured per app in the developer portal, not requested: `scope` of the authorization request accepts only sign-in scopes (`openid`, `profile`, `email`).';

/** Two descriptions of one scheme: how to get a token, and how to send it. */
export function securitySchemes(baseUrl: string): Json {
  const oauth = `${baseUrl}/auth/v1/oauth`;
  const urls = {
    authorizationUrl: `${oauth}/authorize`,
    tokenUrl: `${oauth}/token`,
    refreshUrl: `${oauth}/token`,
  };
  return {
    oauth2: {
      type: 'oauth2',
      description: `Authorization code with PKCE (S256). ${apiScopes}`,
      flows: { authorizationCode: { ...urls, scopes } },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: `An access token. ${apiScopes}`,
    },
  };
}
