/** The paths of the authorization server, relative to its prefix. */

export interface Route {
  readonly methods: readonly string[];
  /**
   * `page`: for people. `metadata`: public, the same for everyone. `endpoint`: for apps. `form`: an
   * endpoint that takes a form.
   */
  readonly kind: 'page' | 'metadata' | 'endpoint' | 'form';
}

const read = ['GET', 'HEAD'];
const shared = [...read, 'OPTIONS'];

const page: Route = { methods: read, kind: 'page' };
const metadata: Route = { methods: shared, kind: 'metadata' };
const form: Route = { methods: ['POST', 'OPTIONS'], kind: 'form' };

const table: Readonly<Record<string, Route>> = {
  '/authorize': page,
  '/logout': page,
  '/logout/confirm': { methods: ['POST'], kind: 'page' },
  '/logout/success': page,
  '/token': form,
  '/revoke': form,
  '/introspect': form,
  '/userinfo': { methods: [...shared, 'POST'], kind: 'endpoint' },
  '/jwks': metadata,
  '/.well-known/openid-configuration': metadata,
  '/.well-known/oauth-authorization-server': metadata,
};

/** The path to which the browser returns after sign-in or consent. */
const resume = /^\/authorize\/[\w-]{1,100}$/;

/**
 * Exact match. oidc-provider's router ignores case and a trailing slash, and would let a request
 * bypass the checks here.
 */
export const routeOf = (path: string): Route | undefined =>
  Object.hasOwn(table, path) ? table[path] : resume.test(path) ? page : undefined;

export const oauthPrefix = '/auth/v1/oauth';

/**
 * The route pattern of a path of {@link isOAuthPath}, with its prefix. Undefined when no route
 * matches.
 */
export function patternOf(path: string): string | undefined {
  const own = withoutPrefix(path);
  return Object.hasOwn(table, own)
    ? oauthPrefix + own
    : resume.test(own)
      ? `${oauthPrefix}/authorize/{id}`
      : undefined;
}

/** Discovery documents at the location of RFC 8414, with the issuer's path last. */
const alias =
  /^(\/\.well-known\/(?:oauth-authorization-server|openid-configuration))\/auth\/v1\/oauth$/;

/** Whether the authorization server serves a path of this host. */
export const isOAuthPath = (path: string): boolean =>
  path.startsWith(`${oauthPrefix}/`) || alias.test(path);

/** The path of {@link isOAuthPath} without the prefix, as in the routes. */
export const withoutPrefix = (path: string): string =>
  alias.exec(path)?.[1] ?? path.slice(oauthPrefix.length);
