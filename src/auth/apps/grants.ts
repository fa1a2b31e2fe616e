/**
 * Grants that people gave to apps. Everything that was issued from a sign-in ends with its grant.
 */
import type { Database } from '../../database/connection.js';
import { sql } from '../../database/entity-manager.js';
import type { Actor } from '../../database/record-changes.js';
import { Grant } from '../../entities/app.js';
import { nameIn } from '../../entities/user.js';
import { ApiError } from '../../errors.js';
import { recordAppEvent } from './events.js';

export interface GivenGrant {
  readonly id: string;
  readonly appId: string;
  readonly appName: string;
  readonly userName: string;
  readonly userEmail: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** The holder of grants: the app that has them, or the person who gave them. */
export type GrantHolder = { readonly appId: string } | { readonly userId: string };

/** The active grants, newest first, at most 200. */
export async function grantsOf(db: Database, holder: GrantHolder): Promise<GivenGrant[]> {
  const grants = await db.em.find(
    Grant,
    { ...holder, expiresAt: { $gt: sql`now()` } },
    { populate: ['app', 'user'], orderBy: { createdAt: 'desc', id: 'asc' }, limit: 200 },
  );
  return grants.map(({ id, appId, app, user, createdAt, expiresAt }) => ({
    id,
    appId,
    appName: app.name,
    userName: nameIn(user),
    userEmail: user.email,
    createdAt,
    expiresAt,
  }));
}

/**
 * Ends a grant and every token that was issued from it.
 * @throws {ApiError} `not_found` when the holder has no such grant.
 */
export const revokeGrant = (
  db: Database,
  actor: Actor,
  holder: GrantHolder,
  grantId: string,
): Promise<void> =>
  db.em.transactional(async (em) => {
    const key = { ...holder, id: grantId };
    const grant = await em.findOne(Grant, key, { populate: ['user'] });
    if (!grant || (await em.nativeDelete(Grant, key)) === 0)
      throw new ApiError('not_found', 'This sign-in has already ended.');
    await recordAppEvent(em, actor, 'revoke_grant', grant.appId, {
      grantedBy: [grant.user.email, null],
    });
  });
