/** Client secrets: random, shown once, stored as hashes. */
import { randomUUIDv7 } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import type { Database } from '../../database/connection.js';
import { type EntityManager, sql } from '../../database/entity-manager.js';
import type { Actor } from '../../database/record-changes.js';
import { App, AppSecret } from '../../entities/app.js';
import { ApiError } from '../../errors.js';
import { createSecret, hashSecret } from '../accounts/secrets.js';
import { endSecretsIn, findSecret } from './app-statements.js';
import { recordAppEvent } from './events.js';

/** The prefix allows secret scanners to detect a leak. */
const newSecret = (): string => `lanyard_secret_${createSecret()}`;

/** The valid secrets of an app, newest first. */
export const secretsOf = (db: Database, appId: string): Promise<AppSecret[]> =>
  validSecrets(db.em, appId);

const validSecrets = (em: EntityManager, appId: string): Promise<AppSecret[]> =>
  em.find(
    AppSecret,
    { appId, $or: [{ expiresAt: null }, { expiresAt: { $gt: sql`now()` } }] },
    { orderBy: { createdAt: 'desc', id: 'desc' } },
  );

/** Whether the secret is a valid one of the app. Records its use. */
export async function verifySecret(
  db: Database,
  clientId: string,
  secret: string,
): Promise<boolean> {
  const found = await findSecret(db, clientId, hashSecret(secret));
  if (!found) return false;
  // At most once a minute, so that a busy app does not write a row for each token.
  if (!found.isNoted)
    await db.em.nativeUpdate(AppSecret, { id: found.id }, { lastUsedAt: sql`now()` });
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
  db.em.transactional(async (em) => {
    const app = await em.findOne(App, { id: appId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!app) throw new ApiError('not_found');
    if (app.tokenEndpointAuthMethod === 'none')
      throw new ApiError(
        'invalid_transition',
        'A public app has no secret: make it confidential first.',
      );
    await endSecretsIn(em, appId, overlap);
    const working = await validSecrets(em, appId);
    if (working.length >= maxSecretsPerApp)
      throw new ApiError(
        'conflict',
        `The app has ${working.length} valid secrets, the maximum for an app. Revoke one first.`,
      );
    return addSecret(em, actor, appId, overlap);
  });

/** Call it in the transaction that created, locked or updated the app. @returns The secret. */
export async function addSecret(
  em: EntityManager,
  actor: Actor,
  appId: string,
  overlap?: number,
): Promise<string> {
  const secret = newSecret();
  const hint = secret.slice(-4);
  await em.insert(AppSecret, {
    id: randomUUIDv7(),
    appId,
    hash: hashSecret(secret),
    hint,
    createdBy: actor.userId,
  });
  await recordAppEvent(em, actor, 'add_secret', appId, {
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
  db.em.transactional(async (em) => {
    const secret = await em.findOne(AppSecret, { id: secretId, appId });
    if (!secret || (await em.nativeDelete(AppSecret, { id: secretId, appId })) === 0)
      throw new ApiError('not_found', 'This secret has already been revoked.');
    await recordAppEvent(em, actor, 'revoke_secret', appId, { secret: [secret.hint, null] });
  });
