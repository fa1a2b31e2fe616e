/**
 * Audits failed authentication of people and apps. Call it after the response, since its duration
 * would reveal whether an account exists. Unknown e-mail addresses, passkeys and client_ids leave
 * no event, and no event contains the credentials that were tried.
 */
import { v5 as uuidOf } from 'uuid';
import type { Database } from '../database/connection.js';
import { App } from '../entities/app.js';
import { Passkey } from '../entities/credentials.js';
import { User } from '../entities/user.js';
import { findUserByName } from './accounts/link-statements.js';
import { recordEvent } from './audit.js';

/**
 * Milliseconds in which a person or app gets at most one event of a kind, however many attempts
 * fail: the window of the attempt counter.
 */
export const failureWindow = 15 * 60_000;

/** The namespace of the ids below: a UUID that nothing else uses. */
const namespace = '6f2d1c0a-6a3e-4d0b-9a53-4b7a8f1f6c11';

type Subject = {
  readonly subjectType: 'User' | 'App';
  readonly subjectId: string;
  readonly action: string;
};

/**
 * The id is derived from the time window, so that PostgreSQL accepts one event from all processes.
 * The actor is unknown, so none is recorded.
 */
function record(db: Database, requestId: string, subject: Subject, reason: string): Promise<void> {
  const time = Math.floor(Date.now() / failureWindow);
  const id = uuidOf(`${subject.subjectId} ${subject.action} ${reason} ${time}`, namespace);
  return recordEvent(
    db.em,
    { userId: null, appId: null, requestId },
    { ...subject, id, changes: { reason: [null, reason] } },
  );
}

export type ProofAction = 'fail_sign_in' | 'fail_change_password';
export type ProofRefusal = 'wrong_password' | 'wrong_passkey' | 'too_many_attempts';

/** The account, as far as the attempt identifies it. */
export type Tried =
  | { readonly email: string }
  | { readonly credentialId: string }
  | { readonly userId: string };

async function findTried({ em }: Database, tried: Tried): Promise<User | null | undefined> {
  if ('userId' in tried) return em.findOne(User, { id: tried.userId });
  if ('email' in tried) {
    const found = await findUserByName(em, tried.email);
    return found && em.findOne(User, { id: found.id });
  }
  const { credentialId } = tried;
  return (await em.findOne(Passkey, { credentialId }, { populate: ['user'] }))?.user;
}

/** @param reason For a disabled person, the reason is always that. */
export async function recordFailedProof(
  db: Database,
  requestId: string,
  action: ProofAction,
  tried: Tried,
  reason: ProofRefusal,
): Promise<void> {
  const user = await findTried(db, tried);
  if (!user) return;
  const subject = { action, subjectType: 'User', subjectId: user.id } as const;
  await record(db, requestId, subject, user.status === 'active' ? reason : 'disabled');
}

export async function recordFailedAuthentication(
  db: Database,
  requestId: string,
  clientId: string,
  reason: 'wrong_secret' | 'too_many_attempts',
): Promise<void> {
  const app = await db.em.findOne(App, { clientId });
  if (app)
    await record(
      db,
      requestId,
      { action: 'fail_authentication', subjectType: 'App', subjectId: app.id },
      reason,
    );
}
