/**
 * Looks up the principals of tokens for each request, because the token, the grant and the accounts
 * behind it may end at any time; and checks them again for a write.
 */
import DataLoader from 'dataloader';
import type { Database } from '../database/connection.js';
import type { Check } from '../database/record-changes.js';
import { prepareValue } from '../database/wire/pg-internals.js';
import { ApiError } from '../errors.js';
import type { Membership, Principal } from './policy.js';

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

/**
 * Returns one row while the token is valid, its app and person are active, and the caller's
 * membership of the organization, its role and the approval of the app are those of the
 * authorization; otherwise none. Without a membership (`$7`) only token, app and person count.
 */
const standing = `select from grants g
  join users u on u.id = g.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.status = 'active'
  where g.id = $1::text and g.expires_at > clock_timestamp() and u.id = $2::uuid and a.id = $3::uuid
    and a.api_scopes = $4::text[] and a.is_first_party = $5::boolean
    and not exists (select from revoked_tokens r where r.jti = $6::text)
    and ($7::uuid is null or exists (
      select from organization_members m
      join organizations o on o.id = m.organization_id and o.status = 'active'
      left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
      where m.organization_id = $8::uuid and m.id = $7::uuid and m.user_id = u.id and m.status = 'active' and m.role = $9::text
        and p.scopes is not distinct from $10::text[]))`;

/** Principal per token; undefined when the token is no longer valid. */
type Found = ReadonlyMap<Token, Caller | undefined>;

/** A look-up in progress. */
export interface LookUp {
  readonly found: Promise<Found>;
}

export class Callers {
  /**
   * Batches the look-ups of one turn of the event loop. A request never shares a look-up that began
   * before it. Requests with the same token share its object, and so one row.
   */
  private readonly asking = new DataLoader<Token, LookUp>(
    async (asked) => {
      const found = this.find(new Set(asked));
      // Each waiting request gets the error.
      found.catch(() => {});
      return new Array<LookUp>(asked.length).fill({ found });
    },
    {
      cache: false,
      batchScheduleFn: setImmediate,
      maxBatchSize: 200,
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

  private async find(tokens: ReadonlySet<Token>): Promise<Found> {
    const grants: string[] = [];
    const users: string[] = [];
    const clients: string[] = [];
    const ids: string[] = [];
    for (const { claims } of tokens) {
      grants.push(claims.grant_id);
      users.push(claims.sub);
      clients.push(claims.client_id);
      ids.push(claims.jti);
    }
    const rows = await this.db.query<{ jti: string; caller: string }>(
      lookUp,
      [grants, users, clients, ids],
      { isBatched: true },
    );
    const texts = new Map<string, string>();
    for (const { jti, caller } of rows) texts.set(jti, caller);
    const found = new Map<Token, Caller | undefined>();
    for (const token of tokens) {
      const text = texts.get(token.claims.jti);
      if (token.caller?.text !== text)
        token.caller = text === undefined ? undefined : callerOf(token, text);
      found.set(token, token.caller);
    }
    return found;
  }
}

function callerOf({ claims }: Token, text: string): Caller {
  const known: Omit<Principal, 'writeCheck'> = {
    ...JSON.parse(text),
    grantId: claims.grant_id,
    tokenId: claims.jti,
    identityScopes: claims.scope.split(' ').filter(Boolean),
  };
  return { text, principal: { ...known, writeCheck: writeCheckOf(known) } };
}

/** The values are encoded once per organization, because arrays take longer than the rest. */
function writeCheckOf(principal: Omit<Principal, 'writeCheck'>): Check {
  const { grantId, userId, appId, apiScopes, isFirstParty, tokenId, memberships } = principal;
  const app = [grantId, userId, appId, apiScopes, isFirstParty, tokenId];
  const valuesIn = (organizationId: string, membership?: Membership): readonly unknown[] =>
    [
      ...app,
      membership?.memberId,
      organizationId,
      membership?.role,
      membership?.approvedScopes,
    ].map(prepareValue);
  const known = new Map(
    memberships.map((each) => [each.organizationId, valuesIn(each.organizationId, each)]),
  );
  return {
    sql: standing,
    valuesFor: (organizationId) => known.get(organizationId) ?? valuesIn(organizationId),
  };
}

/**
 * Optimistic authentication: a request whose token was seen before starts with the cached
 * principal, while PostgreSQL confirms it. A query reads meanwhile; a mutation waits for the
 * confirmation. No response is sent before, and results for another principal are discarded.
 */
export class Authentication {
  readonly principal: Principal;
  private readonly text: string;
  private isCounted = false;
  private isOver = false;

  /** @param asked The look-up of this request, if it was started already. */
  constructor(
    private readonly callers: Callers,
    private readonly token: Token,
    { principal, text }: Caller,
    private asked?: LookUp,
  ) {
    this.principal = principal;
    this.text = text;
  }

  /**
   * Looks up the token's principal in PostgreSQL.
   * @param db Counts the statements of the request.
   * @returns Once the look-up is queued: the next read shares its round trip.
   */
  async ask(db: Database): Promise<void> {
    if (!this.isCounted) db.countShared();
    this.isCounted = true;
    this.asked ??= await this.callers.ask(this.token);
  }

  /** Whether the principal is that of the token, at some moment during this request. */
  async holds(db: Database): Promise<boolean> {
    if (this.isOver) return false;
    await this.ask(db);
    return (await this.asked?.found)?.get(this.token)?.text === this.text;
  }

  /**
   * @throws {ApiError} unless {@link holds}. Clients never see it, because the request is repeated
   * as the current principal.
   */
  async require(db: Database): Promise<void> {
    if (!(await this.holds(db))) throw new ApiError('unauthenticated');
  }

  /** Call it when a write found the principal changed: {@link holds} is false from then on. */
  end(): void {
    this.isOver = true;
  }
}
