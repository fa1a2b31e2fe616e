import Provider, { errors } from 'oidc-provider';
import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { afterAnswer } from '../../http/background.js';
import { toApiError } from '../../http/error-mapping.js';
import { verifySecret } from '../apps/secrets.js';
import { recordFailedAuthentication } from '../denied-attempts.js';
import type { KeyRing } from '../keys.js';
import { type Authenticator, issuerOf } from '../principal.js';
import { type AuthorizeLimiter, SecretLimiter } from './limits.js';
import { currentRequest } from './request.js';
import { followWebSessions } from './sessions.js';
import { settingsFor } from './settings.js';

export interface OAuthDeps {
  readonly config: Config;
  readonly db: Database;
  readonly keys: KeyRing;
  readonly log: Logger;
}

/** Creates an oidc-provider with the current keys. */
export function createProvider(
  { config, db, keys, log }: OAuthDeps,
  authenticator: Authenticator,
  beginnings: AuthorizeLimiter,
): Provider {
  const onBeginning = () => beginnings.countBeginning(Provider.ctx?.ip ?? '');
  const provider = new Provider(
    issuerOf(config),
    settingsFor(config, db, keys, authenticator, onBeginning),
  );
  followWebSessions(provider, config, db);
  const limiter = new SecretLimiter(db);
  // An app may have several secrets, stored as hashes; oidc-provider supports one, in plain text.
  const clients = provider.Client.prototype as unknown as {
    compareClientSecret(
      this: { clientId: string; tokenEndpointAuthMethod: string },
      secret: string,
    ): Promise<boolean>;
  };
  clients.compareClientSecret = async function compare(secret) {
    requireRegisteredMethod(this.tokenEndpointAuthMethod);
    const audit = (reason: 'wrong_secret' | 'too_many_attempts') => {
      const requestId = currentRequest()?.requestId ?? '';
      const { res } = Provider.ctx ?? {};
      if (res)
        afterAnswer(res, log, requestId, () =>
          recordFailedAuthentication(db, requestId, this.clientId, reason),
        );
    };
    try {
      const isRight = await limiter.guard(this.clientId, () =>
        verifySecret(db, this.clientId, secret),
      );
      if (!isRight) audit('wrong_secret');
      return isRight;
    } catch (error) {
      if (error instanceof errors.OIDCProviderError) audit('too_many_attempts');
      throw error;
    }
  };
  // Logs the error and reports temporary failures as such, because most apps treat a 500 as final.
  provider.on('server_error', (ctx, error) => {
    ctx.status = toApiError(
      error,
      log,
      (ctx.state as { requestId?: string }).requestId ?? '',
    ).status;
  });
  return provider;
}

/**
 * Requires the authentication method that the app registered, since oidc-provider accepts either.
 * Checked before the secret, so that the error reveals nothing about it.
 * @throws {errors.OIDCProviderError} `invalid_client`.
 */
function requireRegisteredMethod(registered: string): void {
  const used =
    Provider.ctx?.oidc.params?.client_secret === undefined
      ? 'client_secret_basic'
      : 'client_secret_post';
  if (used === registered) return;
  const error = new errors.InvalidClientAuth(
    'the app is registered with another client authentication method',
  );
  error.error_description = `this app is registered with ${registered}: send its secret so, or change the type of the app in the portal`;
  throw error;
}
