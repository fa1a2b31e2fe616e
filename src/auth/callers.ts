/** Whom tokens stand for: looked up anew for each request, since anything that a token rests on may end before it does. */
import DataLoader from 'dataloader';
import type { Sql } from '../database/client.js';
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
  /** Whom it stood for when that was last looked up. */
  caller: Caller | undefined;
}

/** Whom a token stands for: what PostgreSQL said, and what that means. */
export interface Caller {
  readonly text: string;
  readonly principal: Principal;
  /** A statement that fails, so that what is sent behind it isn't run, unless the token stands for the same as before. */
  readonly requirement: Sql;
}

/**
 * Person, app, grant, memberships and approvals of a token, as one text: what it was before needn't be parsed again. No row where any of the first three is
 * missing, ended or disabled, or the token was revoked.
 */
const callersOf = (tokens: string) => `
  select token.jti, json_build_object(
    'userId', u.id, 'email', u.email, 'displayName', u.display_name,
    'appId', a.id, 'clientId', a.client_id, 'appName', a.name, 'isFirstParty', a.is_first_party, 'apiScopes', a.api_scopes,
    'memberships', coalesce((
      select json_agg(json_build_object(
        'organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role, 'isPrimary', m.is_primary,
        'approvedScopes', p.scopes) order by m.is_primary desc, o.slug)
      from organization_members m
      join organizations o on o.id = m.organization_id and o.status = 'active'
      left join app_approvals p on p.organization_id = m.organization_id and p.app_id = a.id
      where m.user_id = u.id and m.status = 'active'), '[]'))::text as caller
  from ${tokens} as token (grant_id, user_id, client_id, jti)
  join grants g on g.id = token.grant_id and g.expires_at > now()
  join users u on u.id = g.user_id and u.id = token.user_id and u.status = 'active'
  join apps a on a.id = g.app_id and a.client_id = token.client_id and a.status = 'active'
  where not exists (select from revoked_tokens r where r.jti = token.jti)`;

const lookUp = callersOf('unnest($1::text[], $2::uuid[], $3::text[], $4::text[])');
const requireSame = `select require_same((${callersOf('(values ($1::text, $2::uuid, $3::text, $4::text))').replace('token.jti, ', '')}), $5)`;

const names = ['grant_id', 'sub', 'client_id', 'jti'] as const;

/** Whom tokens stand for; undefined for those that have ended. */
type Found = ReadonlyMap<Token, Caller | undefined>;

/** A look-up that was sent. */
export interface LookUp {
  readonly found: Promise<Found>;
}

export class Callers {
  /** Whoever asks until the event loop has read what came in; nobody shares a look-up that began before their request. */
  private readonly asking = new DataLoader<Token, LookUp>(async (tokens) => this.lookUpAll(tokens), {
    cache: false,
    batchScheduleFn: setImmediate,
    maxBatchSize: 200,
  });

  constructor(private readonly db: Database) {}

  /** One statement for all who ask at the same moment. @returns Once it has been sent: what else is found then goes with it. */
  ask(token: Token): Promise<LookUp> {
    return this.asking.load(token);
  }

  /** A token is one object, however many requests it comes with: they are one row. */
  private lookUpAll(asked: readonly Token[]): LookUp[] {
    const found = this.find([...new Set(asked)]);
    // Each that waits for it is told.
    found.catch(() => {});
    return asked.map(() => ({ found }));
  }

  private async find(tokens: readonly Token[]): Promise<Found> {
    const values = names.map((name) => tokens.map(({ claims }) => claims[name]));
    const rows = await this.db.find<{ jti: string; caller: string }>(lookUp, values);
    const texts = new Map(rows.map(({ jti, caller }) => [jti, caller]));
    return new Map(tokens.map((token) => [token, renewed(token, texts.get(token.claims.jti))]));
  }
}

function renewed(token: Token, text: string | undefined): Caller | undefined {
  if (token.caller?.text !== text) token.caller = text === undefined ? undefined : callerOf(token, text);
  return token.caller;
}

const callerOf = ({ claims }: Token, text: string): Caller => ({
  text,
  principal: { ...JSON.parse(text), identityScopes: claims.scope.split(' ').filter(Boolean) },
  requirement: [requireSame, [...names.map((name) => claims[name]), text]],
});
