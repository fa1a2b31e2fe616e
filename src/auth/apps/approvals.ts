/** Approvals of apps by the admins of organizations. */
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/record-changes.js';
import { ApiError } from '../../errors.js';
import type { ApiScope } from '../scopes.js';
import { recordAppEvent } from './events.js';
import { type ApprovalFacts, type ApprovalStatus, addedScopes, approvalStatus } from './rules.js';

interface Row extends ApprovalFacts {
  readonly appId: string;
  readonly clientId: string;
  readonly appName: string;
  readonly appStatus: 'active' | 'disabled';
  readonly apiScopes: readonly ApiScope[];
  readonly ownerName: string | null;
  readonly approvedBy: string | null;
  readonly revokedBy: string | null;
  /** When the first member with an active grant signed in through the app, and who it was. */
  readonly requestedAt: string | null;
  readonly requestedBy: string | null;
  /** When the app's scopes last changed, and who changed them. */
  readonly changedAt: string | null;
  readonly changedBy: string | null;
}

export interface Approval extends Row {
  readonly status: ApprovalStatus;
  /** The scopes that the app requests and that are not approved. */
  readonly newScopes: readonly ApiScope[];
}

const nameOf = (table: string) => `coalesce(nullif(${table}.display_name, ''), ${table}.email)`;

/**
 * The sign-in of a member through an app is the request for approval. First-party apps need none.
 */
const approvalsQuery = `
  select a.id as "appId", a.client_id as "clientId", a.name as "appName", a.status as "appStatus", a.api_scopes as "apiScopes",
    ${nameOf('owner')} as "ownerName", coalesce(p.scopes, '{}') as "approvedScopes", p.approved_at as "approvedAt", ${nameOf('approver')} as "approvedBy",
    p.revoked_at as "revokedAt", ${nameOf('revoker')} as "revokedBy", asked.at as "requestedAt", asked.by as "requestedBy",
    changed.at as "changedAt", changed.by as "changedBy"
  from apps a
  left join app_approvals p on p.app_id = a.id and p.organization_id = $1
  left join users owner on owner.id = a.owner_id
  left join users approver on approver.id = p.approved_by
  left join users revoker on revoker.id = p.revoked_by
  left join lateral (
    select g.created_at as at, ${nameOf('u')} as by
    from organization_members m join grants g on g.user_id = m.user_id and g.app_id = a.id join users u on u.id = m.user_id
    where m.organization_id = $1 and m.status = 'active' and g.expires_at > now()
    order by g.created_at limit 1) asked on true
  left join lateral (
    select e.occurred_at as at, ${nameOf('u')} as by
    from audit_events e left join users u on u.id = e.user_id
    where e.subject_type = 'App' and e.subject_id = a.id::text and e.changes ? 'apiScopes' and e.action = 'update'
    order by e.occurred_at desc limit 1) changed on true
  where not a.is_first_party and a.api_scopes <> '{}' and (p.app_id is not null or asked.at is not null)
  order by a.name, a.client_id`;

/** All apps that request or have had an approval in the organization. */
export async function approvalsOf(db: Database, organizationId: string): Promise<Approval[]> {
  const rows = await db.query<Row>(approvalsQuery, [organizationId]);
  return rows.map((row) => ({
    ...row,
    status: approvalStatus(row),
    newScopes: addedScopes(row.approvedScopes, row.apiScopes),
  }));
}

/** The organizations that approve an app, and must approve again when it requests more scopes. */
export const approvingOrganizations = (
  db: Database,
  appId: string,
): Promise<{ id: string; name: string }[]> =>
  db.query(
    `select o.id, o.name from app_approvals p join organizations o on o.id = p.organization_id
     where p.app_id = $1 and p.revoked_at is null order by o.name`,
    [appId],
  );

/**
 * An organization of which the user is an admin.
 * @throws {ApiError} `forbidden`, whether it exists or not.
 */
export async function administered(
  db: Database,
  userId: string | null,
  organizationId: string,
): Promise<{ id: string; name: string }> {
  const [organization] = await db.query<{ id: string; name: string }>(
    `select o.id, o.name from organization_members m join organizations o on o.id = m.organization_id
     where m.user_id = $1 and m.organization_id = $2 and m.status = 'active' and m.role = 'admin' and o.status = 'active'`,
    [userId, organizationId],
  );
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
  db.transaction(async (tx) => {
    await administered(tx, admin.userId, organizationId);
    const { apiScopes, approvedScopes } = await lockApproval(tx, organizationId, appId);
    const scopes = apiScopes.filter((scope) => seen.includes(scope));
    await tx.query(
      `insert into app_approvals (organization_id, app_id, scopes, approved_by, approved_at) values ($1, $2, $3, $4, clock_timestamp())
       on conflict (organization_id, app_id) do update
       set scopes = excluded.scopes, approved_by = excluded.approved_by, approved_at = excluded.approved_at, revoked_by = null, revoked_at = null`,
      [organizationId, appId, scopes, admin.userId],
    );
    await recordAppEvent(
      tx,
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
  db.transaction(async (tx) => {
    await administered(tx, admin.userId, organizationId);
    const { approvedScopes } = await lockApproval(tx, organizationId, appId);
    const revoked = await tx.query(
      `update app_approvals set scopes = '{}', revoked_by = $3, revoked_at = clock_timestamp()
       where organization_id = $1 and app_id = $2 and revoked_at is null returning app_id`,
      [organizationId, appId, admin.userId],
    );
    if (revoked.length === 0) throw new ApiError('not_found', 'The app is not approved here.');
    await recordAppEvent(
      tx,
      admin,
      'revoke_approval',
      appId,
      { scopes: [approvedScopes, []] },
      organizationId,
    );
  });

/** Locks the app, so that its scopes cannot change between read and approval. */
async function lockApproval(tx: Database, organizationId: string, appId: string) {
  const [app] = await tx.query<{ apiScopes: string[]; approvedScopes: string[] }>(
    `select a.api_scopes as "apiScopes", coalesce(p.scopes, '{}') as "approvedScopes"
     from apps a left join app_approvals p on p.app_id = a.id and p.organization_id = $1 where a.id = $2 for update of a`,
    [organizationId, appId],
  );
  if (!app) throw new ApiError('not_found', 'There is no such app.');
  return app;
}
