/**
 * Grants: what a person allowed an app at one sign-in. Everything that is issued from it references
 * it, and ends with it.
 */
import type { AdapterPayload, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Database } from '../../database/connection.js';
import { recordUserEvent } from '../accounts/events.js';
import { currentRequest } from './request.js';
import { Store } from './store.js';

type Grant = InstanceType<Provider['Grant']>;

/**
 * Ends the grant that the condition selects, at the request of its app.
 * @param condition SQL with `$n` for the values.
 */
export const endGrant = (
  db: Database,
  condition: string,
  values: readonly unknown[],
): Promise<void> =>
  db.transaction(async (tx) => {
    const [grant] = await tx.query<{ userId: string; appId: string }>(
      `delete from grants where ${condition} returning user_id as "userId", app_id as "appId"`,
      values,
    );
    if (!grant) return;
    const { requestId = null, path } = currentRequest() ?? {};
    // At the token endpoint a grant ends for one reason only: a code or refresh token was used
    // twice, so one of the two clients stole it.
    const reason = path === '/token' ? 'used twice' : 'revoked';
    await recordUserEvent(
      tx,
      { userId: null, appId: grant.appId, requestId },
      'end_grant',
      grant.userId,
      { reason: [null, reason] },
    );
  });

/** Stores grants in the table that the API checks at each request. */
export class Grants extends Store {
  constructor(private readonly db: Database) {
    super();
  }

  override async upsert(
    id: string,
    { accountId, clientId, openid, resources }: AdapterPayload,
    expiresIn = 0,
  ): Promise<void> {
    await this.db.transaction(async (tx) => {
      const [grant] = await tx.query<{ userId: string; appId: string; isNew: boolean }>(
        `insert into grants (id, app_id, user_id, payload, expires_at)
         select $1, a.id, $2, $4, now() + $5 * interval '1 second' from apps a where a.client_id = $3
         on conflict (id) do update set payload = excluded.payload, expires_at = excluded.expires_at
         returning user_id as "userId", app_id as "appId", xmax = 0 as "isNew"`,
        [id, accountId, clientId, JSON.stringify({ openid, resources }), expiresIn],
      );
      if (!grant?.isNew) return;
      const { userId, appId } = grant;
      const scopes = (openid as { scope?: string } | undefined)?.scope?.split(' ') ?? [];
      await recordUserEvent(
        tx,
        { userId, appId, requestId: currentRequest()?.requestId ?? null },
        'grant',
        userId,
        {
          scopes: [null, scopes],
        },
      );
    });
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
    await endGrant(this.db, 'id = $1', [id]);
  }
}

/** Stores a grant of identity scopes for one sign-in. */
export async function saveGrant(
  provider: Provider,
  accountId: string,
  clientId: string,
  scope: string,
  audience: string,
): Promise<Grant> {
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(scope);
  grant.addResourceScope(audience, scope);
  await grant.save();
  return grant;
}

/**
 * The grant of an authorization request: the one that was just given on the consent page, or a copy
 * of an earlier one in this session when the person need not be asked again. Each sign-in has its
 * own grant, so that a stolen code ends one sign-in only.
 */
export async function grantFor(
  { oidc }: KoaContextWithOIDC,
  audience: string,
): Promise<Grant | undefined> {
  const { provider, session, client, account, result } = oidc;
  if (!session || !client || !account) return undefined;
  if (result?.consent?.grantId) return provider.Grant.find(result.consent.grantId);
  const earlierId = session.grantIdFor(client.clientId);
  const earlier = earlierId ? await provider.Grant.find(earlierId) : undefined;
  const given = new Set(earlier?.getOIDCScope().split(' '));
  const isEnough = [...oidc.requestParamScopes].every((scope) => given.has(scope));
  if (!isEnough || oidc.promptPending('consent') || oidc.promptPending('login')) return undefined;
  return saveGrant(
    provider,
    account.accountId,
    client.clientId,
    [...oidc.requestParamScopes].join(' '),
    audience,
  );
}
