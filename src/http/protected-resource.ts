/**
 * The API as an OAuth protected resource: its metadata (RFC 9728), and the challenge for a request
 * without a sufficient token (RFC 6750).
 */
import { audienceOf, issuerOf } from '../auth/principal.js';
import { apiScopes } from '../auth/scopes.js';
import type { Config } from '../config.js';
import type { ApiError } from '../errors.js';

const wellKnown = '/.well-known/oauth-protected-resource';

/**
 * The root, where clients look first, and the path of the resource `{base_url}/v1` (RFC 9728, 3.1).
 */
export const resourceMetadataPaths: readonly string[] = [wellKnown, `${wellKnown}/v1`];

export const resourceMetadata = (config: Config): object => ({
  resource: audienceOf(config),
  resource_name: 'Lanyard',
  authorization_servers: [issuerOf(config)],
  bearer_methods_supported: ['header'],
  // Configured per app, and ignored in an authorization request.
  scopes_supported: apiScopes,
  resource_documentation: `${config.BASE_URL}/docs`,
});

/** Without a bearer token the challenge has no error code. */
export const hasBearerToken = (authorization: string | undefined): boolean =>
  /^Bearer +\S/i.test(authorization ?? '');

/** A quoted string of RFC 6750, 3: printable ASCII without quotation mark and backslash. */
const quoted = (text: string): string => `"${text.replace(/[^ !#-[\]-~]/g, "'")}"`;

/**
 * The `WWW-Authenticate` field of an error; undefined when another token would not help.
 * @param authorization The request's Authorization header.
 */
export function challengeOf(
  config: Config,
  { code, message, details }: ApiError,
  authorization?: string,
): string | undefined {
  if (code !== 'unauthenticated' && code !== 'insufficient_scope') return undefined;
  const error =
    code === 'insufficient_scope'
      ? {
          error: 'insufficient_scope',
          error_description: message,
          scope: String(details?.required_scope),
        }
      : hasBearerToken(authorization)
        ? { error: 'invalid_token', error_description: message }
        : {};
  const fields = {
    realm: 'Lanyard',
    ...error,
    resource_metadata: `${config.BASE_URL}${wellKnown}/v1`,
  };
  return `Bearer ${Object.entries(fields)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(', ')}`;
}
