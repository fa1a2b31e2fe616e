import Provider, { errors } from 'oidc-provider';
import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { afterAnswer } from '../../edge/after.js';
import { toApiError } from '../../edge/failure.js';
import { verifySecret } from '../apps/secrets.js';
import type { KeyRing } from '../keys.js';
import { type Authenticator, issuerOf } from '../principal.js';
import { recordFailedAuthentication } from '../refusals.js';
import { SecretLimiter } from './limits.js';
import { currentRequest } from './request.js';
import { followWebSessions } from './sessions.js';
import { settingsFor } from './settings.js';

export interface OAuthDeps {
  readonly config: Config;
  readonly db: Database;
  readonly keys: KeyRing;
  readonly log: Logger;
}

/** An oidc-provider with the keys of this moment. */
export function createProvider({ config, db, keys, log }: OAuthDeps, authenticator: Authenticator): Provider {
  const provider = new Provider(issuerOf(config), settingsFor(config, db, keys, authenticator));
  followWebSessions(provider, config, db);
  const limiter = new SecretLimiter(db);
  // An app may have several secrets, kept as hashes: oidc-provider knows one, in the clear.
  const clients = provider.Client.prototype as unknown as {
    compareClientSecret(this: { clientId: string }, secret: string): Promise<boolean>;
  };
  clients.compareClientSecret = async function compare(secret) {
    const audit = (reason: 'wrong_secret' | 'too_many_attempts') => {
      const requestId = currentRequest()?.requestId ?? '';
      const { res } = Provider.ctx ?? {};
      if (res) afterAnswer(res, log, requestId, () => recordFailedAuthentication(db, requestId, this.clientId, reason));
    };
    try {
      const isRight = await limiter.guard(this.clientId, () => verifySecret(db, this.clientId, secret));
      if (!isRight) audit('wrong_secret');
      return isRight;
    } catch (error) {
      if (error instanceof errors.OIDCProviderError) audit('too_many_attempts');
      throw error;
    }
  };
  // Logs it, and tells what may pass when tried again: most apps take a 500 for final.
  provider.on('server_error', (ctx, error) => {
    ctx.status = toApiError(error, log, (ctx.state as { requestId?: string }).requestId ?? '').status;
  });
  return provider;
}
