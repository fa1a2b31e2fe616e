/**
 * Grants that people gave to apps. Everything that was issued from a sign-in ends with its grant.
 */
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/record-changes.js';
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

const conditionOf = (holder: GrantHolder): [sql: string, id: string] =>
  'appId' in holder ? ['g.app_id = $1', holder.appId] : ['g.user_id = $1', holder.userId];

/** The active grants, newest first, at most 200. */
export async function grantsOf(db: Database, holder: GrantHolder): Promise<GivenGrant[]> {
  const [condition, id] = conditionOf(holder);
  return db.query<GivenGrant>(
    `select g.id, a.id as "appId", a.name as "appName", coalesce(nullif(u.display_name, ''), u.email) as "userName", u.email as "userEmail",
       g.created_at as "createdAt", g.expires_at as "expiresAt"
     from grants g join apps a on a.id = g.app_id join users u on u.id = g.user_id
     where ${condition} and g.expires_at > now() order by g.created_at desc, g.id limit 200`,
    [id],
  );
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
  db.transaction(async (tx) => {
    const [condition, id] = conditionOf(holder);
    const [grant] = await tx.query<{ appId: string; email: string }>(
      `delete from grants g using users u where u.id = g.user_id and ${condition} and g.id = $2 returning g.app_id as "appId", u.email`,
      [id, grantId],
    );
    if (!grant) throw new ApiError('not_found', 'This sign-in has already ended.');
    await recordAppEvent(tx, actor, 'revoke_grant', grant.appId, {
      grantedBy: [grant.email, null],
    });
  });
