/** OpenID Connect claims about the user: in the ID token, and at the userinfo endpoint. */
import type { ParameterizedContext } from 'koa';
import type { Database } from '../../database/connection.js';
import { addressOf } from '../../entities/user.js';
import { ApiError } from '../../errors.js';
import { hasBearerToken } from '../../http/protected-resource.js';
import type { Authenticator } from '../principal.js';
import { sendOAuthError } from './oauth-error.js';

/**
 * The claims that an app may get. Permissions depend on its API scopes, which are never in a token.
 */
export const identityScopes = ['openid', 'profile', 'email'] as const;

/** Used when an app requests none. */
const defaultScope = 'profile email';

/**
 * The identity scopes of a `scope` parameter, or the default. Unknown scopes and API scopes are
 * ignored.
 */
export function requestedScope(scope: string | undefined): string {
  const asked = new Set(scope?.split(' '));
  return identityScopes.filter((each) => asked.has(each)).join(' ') || defaultScope;
}

type Claims = {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
  readonly email_verified: boolean;
};

/** The claims about an active user, or undefined when there is none. */
export async function userClaims(db: Database, userId: string): Promise<Claims | undefined> {
  const [user] = await db.query<Omit<Claims, 'sub'>>(
    `select coalesce(nullif(u.display_name, ''), u.email) as name, ${addressOf('u')} as email, u.email_proven_at is not null as email_verified
     from users u where u.id = $1 and u.status = 'active'`,
    [userId],
  );
  return user && { sub: userId, ...user };
}

/**
 * Replaces oidc-provider's endpoint, which refuses tokens that have an audience; ours all have the
 * API's.
 */
export async function answerUserinfo(
  ctx: ParameterizedContext,
  authenticator: Authenticator,
): Promise<void> {
  const authorization = ctx.get('authorization') || undefined;
  try {
    const token = await authenticator.tokenOf(authorization);
    const {
      userId,
      displayName,
      email,
      isProven,
      identityScopes: granted,
    } = await authenticator.authenticate(token);
    if (!granted.includes('openid')) {
      ctx.set('WWW-Authenticate', 'Bearer error="insufficient_scope", scope="openid"');
      return sendOAuthError(
        ctx,
        403,
        'insufficient_scope',
        'The app must ask for the scope openid at sign-in.',
      );
    }
    ctx.body = {
      sub: userId,
      ...(granted.includes('profile') && { name: displayName || email }),
      ...(granted.includes('email') && { email, email_verified: isProven }),
    };
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'unauthenticated')) throw error;
    // RFC 6750: no error code for a request without a token.
    ctx.set(
      'WWW-Authenticate',
      hasBearerToken(authorization) ? 'Bearer error="invalid_token"' : 'Bearer',
    );
    sendOAuthError(ctx, 401, 'invalid_token', error.message);
  }
}
