/**
 * Web sessions of browsers. The portal and the authorization server both check them at each
 * request, so that one sign-in serves both, and a sign-out (or a new password, or a disabled user)
 * ends both.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/record-changes.js';
import type { Membership } from '../policy.js';
import { readCookie } from './cookies.js';
import { recordUserEvent } from './events.js';
import { createSecret, hashSecret } from './secrets.js';

/** Idle and absolute timeouts of a session. */
const idleHours = 12;
const maxDays = 7;

/** @param sessions The table's name or alias in the statement. */
export const isLive = (sessions: string): string =>
  `${sessions}.seen_at > now() - interval '${idleHours} hours' and ${sessions}.created_at > now() - interval '${maxDays} days'`;

/** An active membership in an active organization; pages do not need the approvals of apps. */
export type WebMembership = Omit<Membership, 'approvedScopes'>;

export interface WebUser {
  readonly id: string;
  /** The sign-in name: the e-mail address, or `slug/address`. */
  readonly email: string;
  readonly displayName: string;
  readonly address: string;
  /** False: the e-mail address was entered, but never verified. */
  readonly isProven: boolean;
  readonly managedBy: string | null;
  readonly memberships: readonly WebMembership[];
}

export type SignInMethod = 'password' | 'passkey' | 'link';

export interface WebSession {
  readonly id: string;
  readonly user: WebUser;
  /** When the person last authenticated, RFC 3339. */
  readonly signedInAt: string;
}

const freshMinutes = 15;

/** Whether the person authenticated recently. */
export const isFresh = ({ signedInAt }: WebSession): boolean =>
  Date.now() - Date.parse(signedInAt) < freshMinutes * 60_000;

/** The browser of a request. */
export interface Browser {
  readonly userAgent: string;
  readonly address: string;
}

export const browserOf = (ctx: ParameterizedContext): Browser => ({
  userAgent: ctx.get('user-agent').slice(0, 500),
  address: ctx.ip,
});

/** @returns The secret for the session's cookie. */
export async function openSession(
  tx: Database,
  userId: string,
  signedInBy: SignInMethod,
  browser: Browser,
): Promise<string> {
  const secret = createSecret();
  await tx.query(
    `insert into web_sessions (id, secret_hash, user_id, signed_in_by, user_agent, address) values ($1, $2, $3, $4, $5, $6)`,
    [randomUUIDv7(), hashSecret(secret), userId, signedInBy, browser.userAgent, browser.address],
  );
  return secret;
}

/** The session of the browser that sent the request; undefined when no one is signed in. */
export async function sessionOf(
  ctx: ParameterizedContext,
  config: Config,
  db: Database,
): Promise<WebSession | undefined> {
  const secret = readCookie(ctx, config, 'session');
  if (!secret) return undefined;
  const [row] = await db.query<
    Omit<WebSession, 'user'> & WebUser & { userId: string; isStale: boolean }
  >(
    `select s.id, s.created_at as "signedInAt", s.seen_at < now() - interval '1 minute' as "isStale",
       u.id as "userId", u.email, u.display_name as "displayName",
       coalesce(u.address, u.email) as address, u.email_proven_at is not null as "isProven", u.managed_by as "managedBy",
       coalesce((
         select json_agg(json_build_object('organizationId', o.id, 'memberId', m.id, 'slug', o.slug, 'name', o.name, 'role', m.role,
           'isPrimary', m.is_primary) order by m.is_primary desc, o.name)
         from organization_members m join organizations o on o.id = m.organization_id and o.status = 'active'
         where m.user_id = u.id and m.status = 'active'), '[]') as memberships
     from web_sessions s join users u on u.id = s.user_id and u.status = 'active'
     where s.secret_hash = $1 and ${isLive('s')}`,
    [hashSecret(secret)],
  );
  if (!row) return undefined;
  // Updated at most once a minute, which keeps the session from the idle timeout without a write
  // per page.
  if (row.isStale)
    await db.query('update web_sessions set seen_at = now() where id = $1', [row.id]);
  const { id, signedInAt, userId, email, address, displayName, isProven, managedBy, memberships } =
    row;
  return {
    id,
    signedInAt,
    user: { id: userId, email, address, displayName, isProven, managedBy, memberships },
  };
}

export interface SessionRow {
  readonly id: string;
  readonly signedInBy: SignInMethod;
  readonly userAgent: string;
  readonly address: string;
  readonly createdAt: string;
  readonly seenAt: string;
}

/** The active sessions of a user, last used first. */
export const listSessions = (db: Database, userId: string): Promise<SessionRow[]> =>
  db.query<SessionRow>(
    `select id, signed_in_by as "signedInBy", user_agent as "userAgent", address, created_at as "createdAt", seen_at as "seenAt"
     from web_sessions s where user_id = $1 and ${isLive('s')} order by seen_at desc`,
    [userId],
  );

/** A person acting for themselves. */
type Person = Actor & { readonly userId: string };

/** Ends one session of the person, if it exists. */
export const endSession = (db: Database, person: Person, sessionId: string): Promise<void> =>
  db.transaction(async (tx) => {
    const [ended] = await tx.query<{ signedInBy: string }>(
      'delete from web_sessions where user_id = $1 and id = $2 returning signed_in_by as "signedInBy"',
      [person.userId, sessionId],
    );
    if (ended)
      await recordUserEvent(tx, person, 'end_session', person.userId, {
        method: [ended.signedInBy, null],
      });
  });

/** Ends the person's other sessions. @returns The number of active ones that ended. */
export const endOtherSessions = (
  db: Database,
  person: Person,
  sessionId: string,
): Promise<number> =>
  db.transaction(async (tx) => {
    const count = await endSessions(tx, person.userId, sessionId);
    if (count > 0)
      await recordUserEvent(tx, person, 'end_other_sessions', person.userId, {
        sessions: [count, 0],
      });
    return count;
  });

/**
 * Ends the user's sessions, optionally all but one. Call it in the transaction of the change that
 * requires it, and audit that.
 * @returns The number of active ones that ended.
 */
export async function endSessions(
  tx: Database,
  userId: string,
  exceptId?: string,
): Promise<number> {
  const ended = await tx.query<{ isLive: boolean }>(
    `delete from web_sessions s where user_id = $1 and id is distinct from $2 returning ${isLive('s')} as "isLive"`,
    [userId, exceptId ?? null],
  );
  return ended.filter((row) => row.isLive).length;
}
