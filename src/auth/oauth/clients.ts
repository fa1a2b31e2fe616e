/** Apps as OAuth clients. */
import type { AdapterPayload, Client, ClientAuthMethod } from 'oidc-provider';
import type { Database } from '../../database/connection.js';

/** Undefined for an unknown app and a disabled one alike. */
export async function findClient(db: Database, clientId: string): Promise<AdapterPayload | undefined> {
  const [app] = await db.query<{ name: string; method: ClientAuthMethod; redirectUris: string[] }>(
    `select name, token_endpoint_auth_method as method, redirect_uris as "redirectUris" from apps where client_id = $1 and status = 'active'`,
    [clientId],
  );
  return (
    app && {
      client_id: clientId,
      client_name: app.name,
      token_endpoint_auth_method: app.method,
      redirect_uris: app.redirectUris,
      // Where sign-in may end, so may sign-out: one list to keep.
      post_logout_redirect_uris: app.redirectUris,
      // A `native` client would be let in on any loopback port: here a redirect URI matches exactly.
      application_type: 'web',
      // Must be there, and is never compared: secrets are kept as hashes, several to an app.
      ...(app.method === 'none' ? {} : { client_secret: 'kept elsewhere' }),
    }
  );
}

/** Whether a page may read what the token endpoint answers to the app: one that the app itself serves. */
export const isOwnOrigin = (client: Client, origin: string): boolean =>
  (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin);
