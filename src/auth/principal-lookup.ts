/**
 * Looks up the principals of tokens for each request, because the token, the grant and the accounts
 * behind it may end at any time.
 */
import DataLoader from 'dataloader';
import type { Database } from '../database/connection.js';
import type { Principal } from './policy.js';

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

/** A verified token. */
export interface Token {
  readonly claims: Claims;
  /** One person through one app: the key of the rate limit and of shares. */
  readonly key: string;
  /** The cached principal: the result of the last look-up. */
  caller: Caller | undefined;
}

/** The principal of a token: the text from PostgreSQL, and its parsed form. */
export interface Caller {
  readonly text: string;
  readonly principal: Principal;
}

/**
 * Person, app, grant, memberships and approvals of a token, as one text: an unchanged text need not
 * be parsed again. No row when person, app or grant is missing, ended or disabled, or when the
 * token was revoked.
 */
const lookUp = `
  select token.jti, json_build_object(
    'userId', u.id, 'email', coalesce(u.address, u.email), 'isProven', u.email_proven_at is not null, 'displayName', u.display_name,
    'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes,
    'memberships', coalesce((
      select json_agg(json_build_object(
        'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary,
        'approvedScopes', p.scopes) order by m.is_primary desc, o.slug)
      from organization_members m
      join organizations o on o.id = m.organization_id and o.status = 'active'
      left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
      where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select from revoked_tokens r where r.jti = token.jti)`;

const names = ['grant_id', 'sub', 'client_id', 'jti'] as const;

/** Principal per token; undefined when the token is no longer valid. */
type Found = ReadonlyMap<Token, Caller | undefined>;

/** A look-up in progress. */
export interface LookUp {
  readonly found: Promise<Found>;
}

export class Callers {
  /**
   * Batches the look-ups of one turn of the event loop. A request never shares a look-up that began
   * before it.
   */
  private readonly asking = new DataLoader<Token, LookUp>(
    async (tokens) => this.lookUpAll(tokens),
    {
      cache: false,
      batchScheduleFn: setImmediate,
      maxBatchSize: 1000,
    },
  );

  constructor(private readonly db: Database) {}

  /**
   * Looks up all tokens of the batch in one statement.
   * @returns Once it has been sent, so that the next statements share its round trip.
   */
  ask(token: Token): Promise<LookUp> {
    return this.asking.load(token);
  }

  /** Requests with the same token share its object, and so one row. */
  private lookUpAll(asked: readonly Token[]): LookUp[] {
    const found = this.find([...new Set(asked)]);
    // Each waiting request gets the error.
    found.catch(() => {});
    return asked.map(() => ({ found }));
  }

  private async find(tokens: readonly Token[]): Promise<Found> {
    const values = names.map((name) => tokens.map(({ claims }) => claims[name]));
    const rows = await this.db.query<{ jti: string; caller: string }>(lookUp, values, {
      isBatched: true,
    });
    const texts = new Map(rows.map(({ jti, caller }) => [jti, caller]));
    return new Map(tokens.map((token) => [token, renewed(token, texts.get(token.claims.jti))]));
  }
}

function renewed(token: Token, text: string | undefined): Caller | undefined {
  if (token.caller?.text !== text)
    token.caller = text === undefined ? undefined : callerOf(token, text);
  return token.caller;
}

const callerOf = ({ claims }: Token, text: string): Caller => ({
  text,
  principal: {
    ...JSON.parse(text),
    grantId: claims.grant_id,
    tokenId: claims.jti,
    identityScopes: claims.scope.split(' ').filter(Boolean),
  },
});
