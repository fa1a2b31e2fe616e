/**
 * Who is asking: the signature checked once per token, everything else looked up at each request in
 * one statement.
 */
import { importJWK, type JWK, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { query } from './database.js';
import { settings } from './settings.js';

export interface Membership {
  readonly organizationId: string;
  readonly memberId: string;
  readonly slug: string;
  readonly name: string;
  readonly role: string;
  readonly isPrimary: boolean;
  readonly approvedScopes: readonly string[] | null;
}

export interface Caller {
  readonly userId: string;
  readonly email: string;
  readonly displayName: string;
  readonly appId: string;
  readonly clientId: string;
  readonly appName: string;
  readonly apiScopes: readonly string[];
  readonly identityScopes: readonly string[];
  readonly memberships: readonly Membership[];
}

const lookUp = `
  select u.id as "userId", u.email, u.display_name as "displayName", a.id as "appId", a.client_id as "clientId", a.name as "appName",
    a.api_scopes as "apiScopes",
    coalesce((select json_agg(json_build_object('organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role,
        'isPrimary', m.is_primary, 'approvedScopes', p.scopes) order by m.is_primary desc, o.slug)
      from organization_members m
      join organizations o on o.id = m.organization_id and o.status = 'active'
      left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
      where m.user_id = u.id and m.status = 'active'), '[]') as memberships
  from grants g
  join users u on u.id = g.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.status = 'active'
  where g.id = $1 and g.expires_at > now() and u.id = $2 and a.client_id = $3 and not exists (select from revoked_tokens r where r.jti = $4)`;

interface Claims extends JWTPayload {
  readonly client_id: string;
  readonly grant_id: string;
  readonly scope: string;
}

interface Keys {
  /** Signs access tokens now. */
  readonly signer: CryptoKey;
  readonly kid: string;
  readonly verifier: CryptoKey;
}

export async function readKeys(): Promise<Keys> {
  const [row] = await query<{ kid: string; jwk: JWK }>(
    `select kid, private_jwk as jwk from signing_keys where purpose = 'access_token' and retires_at is null order by active_from desc limit 1`,
  );
  if (!row) throw new Error('There is no signing key.');
  const { d, ...shown } = row.jwk;
  const [signer, verifier] = await Promise.all([
    importJWK(row.jwk, 'ES256'),
    importJWK(shown, 'ES256'),
  ]);
  return { kid: row.kid, signer: signer as CryptoKey, verifier: verifier as CryptoKey };
}

export class Refused extends Error {
  constructor(readonly status: number) {
    super(`refused with ${status}`);
  }
}

const verified = new LRUCache<string, Claims>({ max: 5000 });
let keys: Promise<Keys> | undefined;

async function verify(token: string): Promise<Claims> {
  let claims = verified.get(token);
  if (!claims) {
    keys ??= readKeys();
    const options = {
      algorithms: ['ES256'],
      typ: 'at+jwt',
      issuer: `${settings.base}/auth/v1/oauth`,
      audience: `${settings.base}/v1`,
    };
    claims = (await jwtVerify<Claims>(token, (await keys).verifier, options)).payload;
    verified.set(token, claims);
  }
  if ((claims.exp ?? 0) * 1000 <= Date.now()) throw new Refused(401);
  return claims;
}

/** @throws {Refused} 401 when the token or anything that it rests on isn't valid now. */
export async function callerOf(authorization: string | undefined): Promise<Caller> {
  if (!authorization?.startsWith('Bearer ')) throw new Refused(401);
  const { grant_id, sub, client_id, jti, scope } = await verify(authorization.slice(7));
  const [row] = await query<Omit<Caller, 'identityScopes'>>(lookUp, [
    grant_id,
    sub,
    client_id,
    jti,
  ]);
  if (!row) throw new Refused(401);
  return { ...row, identityScopes: scope.split(' ') };
}

/**
 * @throws {Refused} 403 unless the caller manages the organization and the app is approved for the
 * scope there.
 */
export function managed(
  { memberships, apiScopes }: Caller,
  organizationId: string,
  scope: string,
): Membership {
  const membership = memberships.find((each) => each.organizationId === organizationId);
  const isManager = membership?.role === 'admin' || membership?.role === 'manager';
  if (!isManager || !apiScopes.includes(scope) || !membership.approvedScopes?.includes(scope))
    throw new Refused(403);
  return membership;
}
