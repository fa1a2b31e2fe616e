/**
 * Web sessions of browsers. The portal and the authorization server both check them at each
 * request, so that one sign-in serves both, and a sign-out (or a new password, or a disabled user)
 * ends both.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { ParameterizedContext } from 'koa';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { type EntityManager, sql } from '../../database/entity-manager.js';
import type { Actor } from '../../database/record-changes.js';
import { WebSession as StoredSession } from '../../entities/credentials.js';
import { readCookie } from './cookies.js';
import { recordUserEvent } from './events.js';
import { createSecret, hashSecret } from './secrets.js';
import { findSession, idleHours, maxDays, type WebUser } from './session-statements.js';

/** The condition for a session that has not timed out, as `isLive` in SQL. */
const live = () => ({
  seenAt: { $gt: sql`now() - ${idleHours} * interval '1 hour'` },
  createdAt: { $gt: sql`now() - ${maxDays} * interval '1 day'` },
});

export type { WebMembership, WebUser } from './session-statements.js';

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
  em: EntityManager,
  userId: string,
  signedInBy: SignInMethod,
  browser: Browser,
): Promise<string> {
  const secret = createSecret();
  const id = randomUUIDv7();
  await em.insert(StoredSession, {
    id,
    secretHash: hashSecret(secret),
    userId,
    signedInBy,
    ...browser,
  });
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
  const row = await findSession(db, hashSecret(secret));
  if (!row) return undefined;
  // Updated at most once a minute, which keeps the session from the idle timeout without a write
  // per page.
  if (row.isStale) await db.em.nativeUpdate(StoredSession, { id: row.id }, { seenAt: sql`now()` });
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
  db.em.find(StoredSession, { userId, ...live() }, { orderBy: { seenAt: 'desc' } });

/** A person acting for themselves. */
type Person = Actor & { readonly userId: string };

/**
 * Ends one session of the person.
 * @returns False, equally for a session that has ended and for one of another user.
 */
export const endSession = (db: Database, person: Person, sessionId: string): Promise<boolean> =>
  db.em.transactional(async (em) => {
    const key = { userId: person.userId, id: sessionId };
    const session = await em.findOne(StoredSession, key);
    if (!session || (await em.nativeDelete(StoredSession, key)) === 0) return false;
    await recordUserEvent(em, person, 'end_session', person.userId, {
      method: [session.signedInBy, null],
    });
    return true;
  });

/** Ends the person's other sessions. @returns The number of active ones that ended. */
export const endOtherSessions = (
  db: Database,
  person: Person,
  sessionId: string,
): Promise<number> =>
  db.em.transactional(async (em) => {
    const count = await endSessions(em, person.userId, sessionId);
    if (count > 0)
      await recordUserEvent(em, person, 'end_other_sessions', person.userId, {
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
  em: EntityManager,
  userId: string,
  exceptId?: string,
): Promise<number> {
  const others = { userId, ...(exceptId !== undefined && { id: { $ne: exceptId } }) };
  const count = await em.nativeDelete(StoredSession, { ...others, ...live() });
  await em.nativeDelete(StoredSession, others);
  return count;
}
