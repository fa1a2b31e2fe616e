/**
 * Grants: what a person allowed an app at one sign-in. Everything that is issued from it references
 * it, and ends with it.
 */
import type { AdapterPayload, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Database } from '../../database/connection.js';
import { Grant as StoredGrant } from '../../entities/app.js';
import { recordUserEvent } from '../accounts/events.js';
import { upsertGrant } from './grant-statements.js';
import { currentRequest } from './request.js';
import { Store } from './store.js';

type Grant = InstanceType<Provider['Grant']>;

const secondsOf = (time: string): number => Math.round(Date.parse(time) / 1000);

/** Ends the grant at the request of its app. */
export const endGrant = (db: Database, id: string): Promise<void> =>
  db.em.transactional(async (em) => {
    const grant = await em.findOne(StoredGrant, { id });
    if (!grant || (await em.nativeDelete(StoredGrant, { id })) === 0) return;
    const { requestId = null, path } = currentRequest() ?? {};
    // At the token endpoint a grant ends for one reason only: a code or refresh token was used
    // twice, so one of the two clients stole it.
    const reason = path === '/token' ? 'used twice' : 'revoked';
    await recordUserEvent(
      em,
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
      const grant = await upsertGrant(tx, {
        id,
        clientId: String(clientId),
        userId: String(accountId),
        payload: { openid, resources },
        expiresIn,
      });
      if (!grant?.isNew) return;
      const { userId, appId } = grant;
      const scopes = (openid as { scope?: string } | undefined)?.scope?.split(' ') ?? [];
      await recordUserEvent(
        tx.em,
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
    const grant = await this.db.em.findOne(StoredGrant, { id }, { populate: ['app'] });
    if (!grant) return undefined;
    return {
      ...grant.payload,
      accountId: grant.userId,
      clientId: grant.app.clientId,
      iat: secondsOf(grant.createdAt),
      exp: secondsOf(grant.expiresAt),
      kind: 'Grant',
      jti: id,
    };
  }

  override async destroy(id: string): Promise<void> {
    await endGrant(this.db, id);
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
