import Provider from 'oidc-provider';
import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import { type Database, isUnavailable } from '../../database/connection.js';
import { verifySecret } from '../apps/secrets.js';
import type { KeyRing } from '../keys.js';
import { type Authenticator, issuerOf } from '../principal.js';
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
  // An app may have several secrets, kept as hashes: oidc-provider knows one, in the clear.
  const clients = provider.Client.prototype as unknown as {
    compareClientSecret(this: { clientId: string }, secret: string): Promise<boolean>;
  };
  clients.compareClientSecret = function compare(secret) {
    return verifySecret(db, this.clientId, secret);
  };
  provider.on('server_error', (ctx, err) => {
    log.error({ err, requestId: (ctx.state as { requestId?: string }).requestId }, 'the authorization server failed');
    // Apps may try again: most of them take a 500 for final.
    if (isUnavailable(err)) ctx.status = 503;
  });
  return provider;
}
