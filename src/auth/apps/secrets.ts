/** Client secrets: random, shown once, stored as hashes. */
import { randomUUIDv7 } from 'node:crypto';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/record-changes.js';
import { ApiError } from '../../errors.js';
import { createSecret, hashSecret } from '../accounts/secrets.js';
import { recordAppEvent } from './events.js';

export interface AppSecret {
  readonly id: string;
  /** The last four characters, to distinguish secrets. */
  readonly hint: string;
  readonly createdAt: string;
  /** Null unless the secret is being replaced. */
  readonly expiresAt: string | null;
  /** With a precision of one minute. */
  readonly lastUsedAt: string | null;
}

/** The prefix allows secret scanners to detect a leak. */
const newSecret = (): string => `lanyard_secret_${createSecret()}`;

/** The valid secrets of an app, newest first. */
export const secretsOf = (db: Database, appId: string): Promise<AppSecret[]> =>
  db.query<AppSecret>(
    `select id, hint, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt"
     from app_secrets where app_id = $1 and (expires_at is null or expires_at > now()) order by created_at desc, id desc`,
    [appId],
  );

/** Whether the secret is a valid one of the app. Records its use. */
export async function verifySecret(
  db: Database,
  clientId: string,
  secret: string,
): Promise<boolean> {
  const [found] = await db.query<{ id: string; isNoted: boolean }>(
    `select s.id, s.last_used_at > now() - interval '1 minute' as "isNoted"
     from app_secrets s join apps a on a.id = s.app_id
     where a.client_id = $1 and s.hash = $2 and (s.expires_at is null or s.expires_at > now())`,
    [clientId, hashSecret(secret)],
  );
  if (!found) return false;
  // At most once a minute, so that a busy app does not write a row for each token.
  if (!found.isNoted)
    await db.query('update app_secrets set last_used_at = now() where id = $1', [found.id]);
  return true;
}

/** Maximum number of valid secrets of an app. */
export const maxSecretsPerApp = 10;

/** The overlaps that the portal offers, in hours. */
export const overlapHours = [0, 1, 24, 168] as const;

/**
 * Creates a secret of a confidential app. Earlier ones stay valid for `overlap` hours, unless they
 * end sooner.
 * @returns The secret, which cannot be retrieved again.
 * @throws {ApiError} `invalid_transition` when the app is public; `conflict` when it has the
 * maximum number of secrets.
 */
export const rotateSecret = (
  db: Database,
  actor: Actor,
  appId: string,
  overlap: number,
): Promise<string> =>
  db.transaction(async (tx) => {
    const [app] = await tx.query<{ method: string }>(
      'select token_endpoint_auth_method as method from apps where id = $1 for update',
      [appId],
    );
    if (!app) throw new ApiError('not_found');
    if (app.method === 'none')
      throw new ApiError(
        'invalid_transition',
        'A public app has no secret: make it confidential first.',
      );
    await tx.query(
      `update app_secrets set expires_at = least(expires_at, now() + $2 * interval '1 hour')
       where app_id = $1 and (expires_at is null or expires_at > now())`,
      [appId, overlap],
    );
    const working = await secretsOf(tx, appId);
    if (working.length >= maxSecretsPerApp)
      throw new ApiError(
        'conflict',
        `The app has ${working.length} valid secrets, the maximum for an app. Revoke one first.`,
      );
    return addSecret(tx, actor, appId, overlap);
  });

/** Call it in the transaction that created, locked or updated the app. @returns The secret. */
export async function addSecret(
  tx: Database,
  actor: Actor,
  appId: string,
  overlap?: number,
): Promise<string> {
  const secret = newSecret();
  const hint = secret.slice(-4);
  await tx.query(
    'insert into app_secrets (id, app_id, hash, hint, created_by) values ($1, $2, $3, $4, $5)',
    [randomUUIDv7(), appId, hashSecret(secret), hint, actor.userId],
  );
  await recordAppEvent(tx, actor, 'add_secret', appId, {
    secret: [null, hint],
    ...(overlap !== undefined && { overlapHours: [null, overlap] }),
  });
  return secret;
}

/** Ends one secret immediately. @throws {ApiError} `not_found` when the app has no such secret. */
export const revokeSecret = (
  db: Database,
  actor: Actor,
  appId: string,
  secretId: string,
): Promise<void> =>
  db.transaction(async (tx) => {
    const [secret] = await tx.query<{ hint: string }>(
      'delete from app_secrets where id = $1 and app_id = $2 returning hint',
      [secretId, appId],
    );
    if (!secret) throw new ApiError('not_found', 'This secret has already been revoked.');
    await recordAppEvent(tx, actor, 'revoke_secret', appId, { secret: [secret.hint, null] });
  });
