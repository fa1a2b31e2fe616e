/** Apps as OAuth clients. */
import type { AdapterPayload, Client } from 'oidc-provider';
import type { Database } from '../../database/connection.js';
import { App } from '../../entities/app.js';
import { Store } from './store.js';

/**
 * Looked up at each use, so that a change in the portal applies immediately. A disabled app is
 * unknown.
 */
export class Clients extends Store {
  constructor(private readonly db: Database) {
    super();
  }

  async find(clientId: string): Promise<AdapterPayload | undefined> {
    const app = await this.db.em.findOne(App, { clientId, status: 'active' });
    return app ? metadataOf(app) : undefined;
  }
}

const metadataOf = ({
  clientId,
  name,
  tokenEndpointAuthMethod,
  redirectUris,
}: App): AdapterPayload => ({
  client_id: clientId,
  client_name: name,
  token_endpoint_auth_method: tokenEndpointAuthMethod,
  redirect_uris: redirectUris,
  // Redirect URIs of sign-in are valid for sign-out too: one list to maintain.
  post_logout_redirect_uris: redirectUris,
  // A `native` client would be accepted on any loopback port; redirect URIs must match exactly.
  application_type: 'web',
  // Required by oidc-provider, but never compared (see provider.ts).
  ...(tokenEndpointAuthMethod === 'none' ? {} : { client_secret: 'kept elsewhere' }),
});

/**
 * Whether a page may read the token endpoint's responses to the app: only a page of the app's own
 * origin.
 */
export const isOwnOrigin = (client: Client, origin: string): boolean =>
  (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin);
