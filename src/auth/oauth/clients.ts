/** Apps as OAuth clients. */
import type { AdapterPayload, Client, ClientAuthMethod } from 'oidc-provider';
import type { Database } from '../../database/connection.js';
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
    const [app] = await this.db.query<App>(
      `select name, token_endpoint_auth_method as method, redirect_uris as "redirectUris" from apps where client_id = $1 and status = 'active'`,
      [clientId],
    );
    return app && metadataOf(clientId, app);
  }
}

interface App {
  readonly name: string;
  readonly method: ClientAuthMethod;
  readonly redirectUris: string[];
}

const metadataOf = (clientId: string, { name, method, redirectUris }: App): AdapterPayload => ({
  client_id: clientId,
  client_name: name,
  token_endpoint_auth_method: method,
  redirect_uris: redirectUris,
  // Redirect URIs of sign-in are valid for sign-out too: one list to maintain.
  post_logout_redirect_uris: redirectUris,
  // A `native` client would be accepted on any loopback port; redirect URIs must match exactly.
  application_type: 'web',
  // Required by oidc-provider, but never compared (see provider.ts).
  ...(method === 'none' ? {} : { client_secret: 'kept elsewhere' }),
});

/**
 * Whether a page may read the token endpoint's responses to the app: only a page of the app's own
 * origin.
 */
export const isOwnOrigin = (client: Client, origin: string): boolean =>
  (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin);
