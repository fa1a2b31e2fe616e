/** Client secrets: random, shown once, kept as hashes. */
import { randomUUIDv7 } from 'node:crypto';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/journal.js';
import { ApiError } from '../../errors.js';
import { createSecret, hashSecret } from '../people/secrets.js';
import { recordAppEvent } from './events.js';

export interface AppSecret {
  readonly id: string;
  /** The last four characters, to tell secrets apart. */
  readonly hint: string;
  readonly createdAt: string;
  /** Null while the secret is not being replaced. */
  readonly expiresAt: string | null;
  /** To the minute. */
  readonly lastUsedAt: string | null;
}

/** The prefix lets scanners of source code find a leaked secret. */
const newSecret = (): string => `lanyard_secret_${createSecret()}`;

/** The secrets of an app that work now, newest first. */
export const secretsOf = (db: Database, appId: string): Promise<AppSecret[]> =>
  db.query<AppSecret>(
    `select id, hint, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt"
     from app_secrets where app_id = $1 and (expires_at is null or expires_at > now()) order by created_at desc, id desc`,
    [appId],
  );

/** Whether the secret is one of the app's that work now. Takes note that it was used. */
export async function verifySecret(db: Database, clientId: string, secret: string): Promise<boolean> {
  const [found] = await db.query<{ id: string; isNoted: boolean }>(
    `select s.id, s.last_used_at > now() - interval '1 minute' as "isNoted"
     from app_secrets s join apps a on a.id = s.app_id
     where a.client_id = $1 and s.hash = $2 and (s.expires_at is null or s.expires_at > now())`,
    [clientId, hashSecret(secret)],
  );
  if (!found) return false;
  // Once a minute, so that a busy app doesn't write a row at each token.
  if (!found.isNoted) await db.query('update app_secrets set last_used_at = now() where id = $1', [found.id]);
  return true;
}

/** The overlaps that the portal offers, in hours. */
export const overlapHours = [0, 1, 24, 168] as const;

/**
 * A new secret of a confidential app; those before it work for `overlap` hours more, if they don't end sooner.
 * @returns The secret, which can't be had again.
 * @throws {ApiError} `invalid_transition` when the app is public.
 */
export const rotateSecret = (db: Database, actor: Actor, appId: string, overlap: number): Promise<string> =>
  db.transaction(async (tx) => {
    const [app] = await tx.query<{ method: string }>('select token_endpoint_auth_method as method from apps where id = $1 for update', [
      appId,
    ]);
    if (!app) throw new ApiError('not_found');
    if (app.method === 'none') throw new ApiError('invalid_transition', 'A public app has no secret: make it confidential first.');
    await tx.query(
      `update app_secrets set expires_at = least(expires_at, now() + $2 * interval '1 hour')
       where app_id = $1 and (expires_at is null or expires_at > now())`,
      [appId, overlap],
    );
    return addSecret(tx, actor, appId, overlap);
  });

/** Call it in the transaction that made, locked or updated the app. @returns The secret. */
export async function addSecret(tx: Database, actor: Actor, appId: string, overlap?: number): Promise<string> {
  const secret = newSecret();
  const hint = secret.slice(-4);
  await tx.query('insert into app_secrets (id, app_id, hash, hint, created_by) values ($1, $2, $3, $4, $5)', [
    randomUUIDv7(),
    appId,
    hashSecret(secret),
    hint,
    actor.userId,
  ]);
  await recordAppEvent(tx, actor, 'add_secret', appId, {
    secret: [null, hint],
    ...(overlap !== undefined && { overlapHours: [null, overlap] }),
  });
  return secret;
}

/** Ends one secret at once. @throws {ApiError} `not_found` when the app has no such secret. */
export const revokeSecret = (db: Database, actor: Actor, appId: string, secretId: string): Promise<void> =>
  db.transaction(async (tx) => {
    const [secret] = await tx.query<{ hint: string }>('delete from app_secrets where id = $1 and app_id = $2 returning hint', [
      secretId,
      appId,
    ]);
    if (!secret) throw new ApiError('not_found', 'This secret has already been revoked.');
    await recordAppEvent(tx, actor, 'revoke_secret', appId, { secret: [secret.hint, null] });
  });
