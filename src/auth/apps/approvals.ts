/** Approvals of apps by the admins of organizations. */
import type { Database } from '../../database/connection.js';
import { type EntityManager, sql } from '../../database/entity-manager.js';
import type { Actor } from '../../database/record-changes.js';
import { AppApproval } from '../../entities/app.js';
import { ApiError } from '../../errors.js';
import type { ApiScope } from '../scopes.js';
import { type ApprovalRow, approvalRows, findAdministered, lockScopes } from './app-statements.js';
import { recordAppEvent } from './events.js';
import { type ApprovalStatus, addedScopes, approvalStatus } from './rules.js';

export interface Approval extends ApprovalRow {
  readonly status: ApprovalStatus;
  /** The scopes that the app requests and that are not approved. */
  readonly newScopes: readonly ApiScope[];
}

/** All apps that request or have had an approval in the organization. */
export async function approvalsOf(db: Database, organizationId: string): Promise<Approval[]> {
  const rows = await approvalRows(db, organizationId);
  return rows.map((row) => ({
    ...row,
    status: approvalStatus(row),
    newScopes: addedScopes(row.approvedScopes, row.apiScopes),
  }));
}

/** The organizations that approve an app, and must approve again when it requests more scopes. */
export async function approvingOrganizations(
  db: Database,
  appId: string,
): Promise<{ id: string; name: string }[]> {
  const approvals = await db.em.find(
    AppApproval,
    { appId, revokedAt: null },
    { populate: ['organization'], orderBy: { organization: { name: 'asc' } } },
  );
  return approvals.map(({ organization: { id, name } }) => ({ id, name }));
}

/**
 * An organization of which the user is an admin.
 * @throws {ApiError} `forbidden`, whether it exists or not.
 */
export async function administered(
  em: EntityManager,
  userId: string | null,
  organizationId: string,
): Promise<{ id: string; name: string }> {
  const organization = await findAdministered(em, userId, organizationId);
  if (!organization)
    throw new ApiError(
      'forbidden',
      'Only an admin of the organization can do this. Ask one of them.',
    );
  return organization;
}

/**
 * Approves the requested scopes of an app in an organization.
 * @param seen The scopes that the admin was shown: later ones still await approval.
 * @throws {ApiError} `forbidden` when the actor is not an admin there; `not_found` when the app
 * does not exist.
 */
export const approve = (
  db: Database,
  admin: Actor,
  organizationId: string,
  appId: string,
  seen: readonly string[],
): Promise<void> =>
  db.em.transactional(async (em) => {
    await administered(em, admin.userId, organizationId);
    const { apiScopes, approvedScopes } = await lockApproval(em, organizationId, appId);
    const scopes = apiScopes.filter((scope) => seen.includes(scope));
    await em
      .createQueryBuilder(AppApproval)
      .insert({
        organizationId,
        appId,
        scopes,
        approvedBy: admin.userId,
        approvedAt: sql`statement_timestamp()`,
        revokedBy: null,
        revokedAt: null,
      })
      .onConflict(['organizationId', 'appId'])
      .merge()
      .execute();
    await recordAppEvent(
      em,
      admin,
      'approve',
      appId,
      { scopes: [approvedScopes, scopes] },
      organizationId,
    );
  });

/**
 * @throws {ApiError} `forbidden` when the actor is not an admin there; `not_found` when the app is
 * not approved there.
 */
export const revokeApproval = (
  db: Database,
  admin: Actor,
  organizationId: string,
  appId: string,
): Promise<void> =>
  db.em.transactional(async (em) => {
    await administered(em, admin.userId, organizationId);
    const { approvedScopes } = await lockApproval(em, organizationId, appId);
    const revoked = await em.nativeUpdate(
      AppApproval,
      { organizationId, appId, revokedAt: null },
      { scopes: [], revokedBy: admin.userId, revokedAt: sql`statement_timestamp()` },
    );
    if (revoked === 0) throw new ApiError('not_found', 'The app is not approved here.');
    await recordAppEvent(
      em,
      admin,
      'revoke_approval',
      appId,
      { scopes: [approvedScopes, []] },
      organizationId,
    );
  });

/** Locks the app, so that its scopes cannot change between read and approval. */
async function lockApproval(em: EntityManager, organizationId: string, appId: string) {
  const app = await lockScopes(em, organizationId, appId);
  if (!app) throw new ApiError('not_found', 'There is no such app.');
  return app;
}
