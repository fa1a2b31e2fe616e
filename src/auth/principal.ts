/** The first wall, the token: from a bearer token to who is asking. */
import DataLoader from 'dataloader';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.js';
import type { Database } from '../database/connection.js';
import { ApiError } from '../errors.js';
import type { KeyRing } from './keys.js';
import type { Membership, Principal } from './policy.js';

export const issuerOf = (config: Config): string => `${config.BASE_URL}/auth/v1/oauth`;
export const audienceOf = (config: Config): string => `${config.BASE_URL}/v1`;

/** The claims of a verified access token (RFC 9068) that the API reads. */
export interface Claims {
  readonly sub: string;
  readonly client_id: string;
  readonly grant_id: string;
  readonly scope: string;
  readonly jti: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
}

/**
 * One statement for all who ask at the same moment: person, app, grant, memberships and approvals of each. No row where any of the first three is missing,
 * ended or disabled, or the token was revoked.
 */
const lookUp = `
  select call.jti, u.id as "userId", u.email, u.display_name as "displayName",
    a.id as "appId", a.client_id as "clientId", a.name as "appName", a.is_first_party as "isFirstParty", to_json(a.api_scopes) as "apiScopes",
    coalesce((
      select json_agg(json_build_object(
        'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary,
        'approvedScopes', p.scopes) order by m.is_primary desc, o.slug)
      from organization_members m
      join organizations o on o.id = m.organization_id and o.status = 'active'
      left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
      where m.user_id = u.id and m.status = 'active'), '[]') as memberships
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as call (grant_id, user_id, client_id, jti)
  join grants g on g.id = call.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = call.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = call.client_id and a.status = 'active'
  where not exists (select from revoked_tokens r where r.jti = call.jti)`;

type Row = Omit<Principal, 'identityScopes' | 'memberships'> & { readonly jti: string; readonly memberships: Membership[] };

export class Authenticator {
  /** Tokens whose signature was verified; what may change in a token's life is looked up each time. */
  private readonly verified = new LRUCache<string, Claims>({ max: 5000 });
  /** Whoever asks until the event loop has read what came in; nobody shares a look-up that began before their request. */
  private readonly callers = new DataLoader<Claims, Row | undefined>((claims) => this.lookUpAll(claims), {
    cache: false,
    batchScheduleFn: setImmediate,
    maxBatchSize: 200,
  });

  constructor(
    private readonly config: Config,
    private readonly keys: KeyRing,
    private readonly db: Database,
  ) {
    // What a key signed is worth nothing once the key is gone.
    keys.onChange(() => this.verified.clear());
  }

  /**
   * @param authorization The Authorization header, or undefined when there was none.
   * @throws {ApiError} `unauthenticated`, when the token or anything that it rests on is not valid now.
   */
  async authenticate(authorization: string | undefined): Promise<Principal> {
    const token = /^Bearer +([\w~+/.-]+=*) *$/i.exec(authorization ?? '')?.[1];
    if (!token) throw new ApiError('unauthenticated');
    const claims = await this.verify(token);
    return { ...(await this.find(claims)), identityScopes: claims.scope.split(' ').filter(Boolean) };
  }

  /**
   * The claims of an access token that works at this moment.
   * @throws {ApiError} As {@link authenticate}.
   */
  async verifyLive(token: string): Promise<Claims> {
    const claims = await this.verify(token);
    await this.find(claims);
    return claims;
  }

  private async find(claims: Claims): Promise<Row> {
    const row = await this.callers.load(claims);
    if (!row) throw new ApiError('unauthenticated', 'The access token was revoked, or its app or user was disabled: sign in again.');
    return row;
  }

  /** The claims of one token are one object, so that its requests are one row. */
  private async lookUpAll(claims: readonly Claims[]): Promise<(Row | undefined)[]> {
    const tokens = [...new Set(claims)];
    const values = (['grant_id', 'sub', 'client_id', 'jti'] as const).map((name) => tokens.map((token) => token[name]));
    const rows = new Map((await this.db.query<Row>(lookUp, values)).map((row) => [row.jti, row]));
    return claims.map(({ jti }) => rows.get(jti));
  }

  private async verify(token: string): Promise<Claims> {
    let claims = this.verified.get(token);
    if (!claims) {
      claims = await this.verifySignature(token);
      this.verified.set(token, claims);
    }
    if (claims.exp * 1000 <= Date.now()) throw new ApiError('unauthenticated', 'The access token has expired: refresh it.');
    return claims;
  }

  private async verifySignature(token: string): Promise<Claims> {
    const malformed = new ApiError('unauthenticated', 'The access token is malformed, expired, or meant for another service.');
    const key = await this.keys.find(keyIdOf(token), 'access_token');
    if (!key) throw malformed;
    const options = {
      algorithms: [key.algorithm],
      typ: 'at+jwt',
      issuer: issuerOf(this.config),
      audience: audienceOf(this.config),
      requiredClaims: ['sub', 'client_id', 'grant_id', 'scope', 'jti', 'iat', 'exp'],
    };
    return jwtVerify<Claims>(token, key.publicKey, options).then(
      ({ payload }) => payload,
      () => {
        throw malformed;
      },
    );
  }
}

/** The key id that a token names, or '' when it isn't a JWT or names none. */
function keyIdOf(token: string): string {
  try {
    return decodeProtectedHeader(token).kid ?? '';
  } catch {
    return '';
  }
}
