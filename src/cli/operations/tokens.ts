/** Issues access tokens in the name of a person: for development, and always audited. */

import { recordUserEvent } from '../../auth/accounts/events.js';
import { identityScopes, requestedScope } from '../../auth/oauth/userinfo.js';
import { issueToken } from '../../auth/tokens.js';
import { type Config, isLoopback } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { UsageError } from '../usage.js';
import { requireApp } from './apps.js';
import { operator, requireUser } from './people.js';

/** Whether tokens of this configuration are valid on this machine only. */
const isDevelopment = ({ NODE_ENV, BASE_URL }: Config): boolean =>
  NODE_ENV !== 'production' && isLoopback(new URL(BASE_URL).hostname);

/** @throws {UsageError} outside of development, unless forced. */
export function requireDevelopment(config: Config, isForced: boolean): void {
  if (isForced || isDevelopment(config)) return;
  const found =
    config.NODE_ENV === 'production' ? 'NODE_ENV is production' : `BASE_URL is ${config.BASE_URL}`;
  throw new UsageError(
    `The token command is for development, and ${found}. People get tokens by signing in. With --force it prints one, and the audit says so.`,
  );
}

/**
 * @param scope All must be identity scopes; sign-in, in contrast, ignores others.
 * @throws {UsageError} that names the others.
 */
function requireIdentityScopes(scope: string): string {
  const asked = scope.split(' ').filter(Boolean);
  const others = asked.filter((each) => !identityScopes.some((known) => known === each));
  if (others.length > 0) {
    throw new UsageError(
      `--scope takes ${identityScopes.join(', ')}, and not ${others.join(', ')}. API scopes are never in a token: the app has them.`,
    );
  }
  return requestedScope(scope);
}

/**
 * @throws {ApiError} `not_found` when the user or app does not exist.
 * @throws {UsageError} for a scope that is not an identity scope.
 */
export async function issueAuditedToken(
  db: Database,
  config: Config,
  email: string,
  clientId: string,
  scope?: string,
): Promise<string> {
  const identity = scope === undefined ? undefined : requireIdentityScopes(scope);
  return db.transaction(async (tx) => {
    const [user, app] = [await requireUser(tx, email), await requireApp(tx, clientId)];
    const token = await issueToken(tx, config, email, clientId, identity);
    await recordUserEvent(tx, { ...operator, appId: app.id }, 'issue_token', user.id, {
      clientId: [null, clientId],
    });
    return token;
  });
}
