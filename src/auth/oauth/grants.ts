/** Grants: what a person allowed an app at one sign-in. All that is issued from it names it, and ends with it. */
import type { AdapterPayload, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Database } from '../../database/connection.js';
import { Store } from './store.js';

type Grant = InstanceType<Provider['Grant']>;

/** Keeps grants in the table that the API checks at each request. */
export class Grants extends Store {
  constructor(private readonly db: Database) {
    super();
  }

  override async upsert(id: string, { accountId, clientId, openid, resources }: AdapterPayload, expiresIn = 0): Promise<void> {
    await this.db.query(
      `insert into grants (id, app_id, user_id, payload, expires_at)
       select $1, a.id, $2, $4, now() + $5 * interval '1 second' from apps a where a.client_id = $3
       on conflict (id) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
      [id, accountId, clientId, JSON.stringify({ openid, resources }), expiresIn],
    );
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.db.query<AdapterPayload & { payload: object }>(
      `select g.payload, g.user_id as "accountId", a.client_id as "clientId", extract(epoch from g.created_at)::bigint as iat,
         extract(epoch from g.expires_at)::bigint as exp
       from grants g join apps a on a.id = g.app_id where g.id = $1`,
      [id],
    );
    if (!row) return undefined;
    const { payload, ...columns } = row;
    return { ...payload, ...columns, kind: 'Grant', jti: id };
  }

  override async destroy(id: string): Promise<void> {
    await this.db.query('delete from grants where id = $1', [id]);
  }
}

/** Keeps a grant of identity scopes for one sign-in. */
export async function saveGrant(provider: Provider, accountId: string, clientId: string, scope: string, audience: string): Promise<Grant> {
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(scope);
  grant.addResourceScope(audience, scope);
  await grant.save();
  return grant;
}

/**
 * The grant that an authorization request rests on: the one just given on the consent page, or, when the person gave this app as much earlier in
 * this session and isn't to be asked again, a new one like it. Always one of its own, so that a stolen code ends one sign-in and not the others.
 */
export async function grantFor({ oidc }: KoaContextWithOIDC, audience: string): Promise<Grant | undefined> {
  const { provider, session, client, account, result } = oidc;
  if (!session || !client || !account) return undefined;
  if (result?.consent?.grantId) return provider.Grant.find(result.consent.grantId);
  const earlierId = session.grantIdFor(client.clientId);
  const earlier = earlierId ? await provider.Grant.find(earlierId) : undefined;
  const given = new Set(earlier?.getOIDCScope().split(' '));
  const isEnough = [...oidc.requestParamScopes].every((scope) => given.has(scope));
  if (!isEnough || oidc.promptPending('consent') || oidc.promptPending('login')) return undefined;
  return saveGrant(provider, account.accountId, client.clientId, [...oidc.requestParamScopes].join(' '), audience);
}
