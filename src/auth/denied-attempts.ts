/**
 * Audits failed authentication of people and apps. Call it after the response, since its duration
 * would reveal whether an account exists. Unknown e-mail addresses, passkeys and client_ids leave
 * no event, and no event contains the credentials that were tried.
 */
import { v5 as uuidOf } from 'uuid';
import type { Database } from '../database/connection.js';
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
    db,
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

const conditionOf = (tried: Tried): [condition: string, value: string] => {
  if ('email' in tried) return ['lower(email) = lower($1)', tried.email];
  if ('userId' in tried) return ['id = $1', tried.userId];
  return ['id = (select user_id from passkeys where credential_id = $1)', tried.credentialId];
};

/** @param reason For a disabled person, the reason is always that. */
export async function recordFailedProof(
  db: Database,
  requestId: string,
  action: ProofAction,
  tried: Tried,
  reason: ProofRefusal,
): Promise<void> {
  const [condition, value] = conditionOf(tried);
  const [user] = await db.query<{ id: string; status: string }>(
    `select id, status from users where ${condition}`,
    [value],
  );
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
  const [app] = await db.query<{ id: string }>('select id from apps where client_id = $1', [
    clientId,
  ]);
  if (app)
    await record(
      db,
      requestId,
      { action: 'fail_authentication', subjectType: 'App', subjectId: app.id },
      reason,
    );
}
