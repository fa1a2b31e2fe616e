/** Who signed in, as OpenID Connect tells it: in the ID token, and at the userinfo endpoint. */
import type { ParameterizedContext } from 'koa';
import type { Database } from '../../database/connection.js';
import { ApiError } from '../../errors.js';
import type { Authenticator } from '../principal.js';
import { refuse } from './refuse.js';

/** What an app may know of the person; what it may do is up to its API scopes, which are never in a token. */
export const identityScopes = ['openid', 'profile', 'email'] as const;

/** When an app asks for none. */
const defaultScope = 'profile email';

/** The identity scopes of a `scope` parameter, or the default: unknown scopes and those of the API are no reason to refuse a sign-in. */
export function requestedScope(scope: string | undefined): string {
  const asked = new Set(scope?.split(' '));
  return identityScopes.filter((each) => asked.has(each)).join(' ') || defaultScope;
}

/** The claims about a user who may sign in, or undefined when there is none such. */
export async function userClaims(db: Database, userId: string): Promise<{ sub: string; name: string; email: string } | undefined> {
  const [user] = await db.query<{ name: string; email: string }>(
    `select coalesce(nullif(display_name, ''), email) as name, email from users where id = $1 and status = 'active'`,
    [userId],
  );
  return user && { sub: userId, ...user };
}

/** oidc-provider's own endpoint refuses tokens that have an audience, and ours all have the API's. */
export async function answerUserinfo(ctx: ParameterizedContext, authenticator: Authenticator): Promise<void> {
  const authorization = ctx.get('authorization') || undefined;
  try {
    const { userId, displayName, email, identityScopes: granted } = await authenticator.authenticate(authorization);
    if (!granted.includes('openid')) {
      ctx.set('WWW-Authenticate', 'Bearer error="insufficient_scope", scope="openid"');
      return refuse(ctx, 403, 'insufficient_scope', 'The app must ask for the scope openid at sign-in.');
    }
    ctx.body = {
      sub: userId,
      ...(granted.includes('profile') && { name: displayName || email }),
      ...(granted.includes('email') && { email }),
    };
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'unauthenticated')) throw error;
    // RFC 6750: no error code for a request that brought no token.
    ctx.set('WWW-Authenticate', authorization ? 'Bearer error="invalid_token"' : 'Bearer');
    refuse(ctx, 401, 'invalid_token', error.message);
  }
}
