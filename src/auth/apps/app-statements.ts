/**
 * SQL about apps that MikroORM's builder cannot express: advisory locks, array operators, joined
 * locks, and lists that join several tables and aggregates.
 */
import type { Database } from '../../database/connection.js';
import type { EntityManager } from '../../database/entity-manager.js';
import { noOrganization } from '../../database/placements.js';
import type { ApiScope } from '../scopes.js';
import type { ApprovalFacts } from './rules.js';

/** Serializes the registrations of a person. */
export async function lockRegistrationsOf(em: EntityManager, ownerId: string): Promise<void> {
  await em.query(`select pg_advisory_xact_lock(hashtextextended('apps of ' || $1::text, 0))`, [
    ownerId,
  ]);
}

export async function dropApprovedScopes(
  em: EntityManager,
  appId: string,
  dropped: readonly string[],
): Promise<void> {
  await em.query(
    `update app_approvals set scopes = array(select unnest(scopes) except select unnest($2::text[])) where app_id = $1 and scopes && $2::text[]`,
    [appId, dropped],
  );
}

/** Limits the valid secrets of an app to `hours` from now, unless they end sooner. */
export async function endSecretsIn(em: EntityManager, appId: string, hours: number): Promise<void> {
  await em.query(
    `update app_secrets set expires_at = least(expires_at, now() + $2 * interval '1 hour')
     where app_id = $1 and (expires_at is null or expires_at > now())`,
    [appId, hours],
  );
}

/** The valid secret of an app with the hash, and whether its use was recorded a minute ago. */
export async function findSecret(
  db: Database,
  clientId: string,
  hash: Buffer,
): Promise<{ readonly id: string; readonly isNoted: boolean | null } | undefined> {
  const [found] = await db.query<{ id: string; isNoted: boolean | null }>(
    `select s.id, s.last_used_at > now() - interval '1 minute' as "isNoted"
     from app_secrets s join apps a on a.id = s.app_id
     where a.client_id = $1 and s.hash = $2 and (s.expires_at is null or s.expires_at > now())`,
    [clientId, hash],
  );
  return found;
}

interface LockedApproval {
  readonly apiScopes: string[];
  readonly approvedScopes: string[];
}

/** Locks the app, so that its scopes cannot change between read and approval. */
export async function lockScopes(
  em: EntityManager,
  organizationId: string,
  appId: string,
): Promise<LockedApproval | undefined> {
  const [app] = await em.query<LockedApproval>(
    `select a.api_scopes as "apiScopes", coalesce(p.scopes, '{}') as "approvedScopes"
     from apps a left join app_approvals p on p.app_id = a.id and p.organization_id = $1 where a.id = $2 for update of a`,
    [organizationId, appId],
  );
  return app;
}

export interface ApprovalRow extends ApprovalFacts {
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

const nameOf = (table: string) => `coalesce(nullif(${table}.display_name, ''), ${table}.email)`;

/**
 * The sign-in of a member through an app is the request for approval. First-party apps need none.
 */
const approvalsQuery = `
  select a.id as "appId", a.client_id as "clientId", a.name as "appName", a.status as "appStatus", a.api_scopes as "apiScopes",
    ${nameOf('owner')} as "ownerName", coalesce(p.scopes, '{}') as "approvedScopes", p.approved_at as "approvedAt", ${nameOf('approver')} as "approvedBy",
    p.revoked_at as "revokedAt", ${nameOf('revoker')} as "revokedBy", asked.at as "requestedAt", asked.by as "requestedBy"
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
  where not a.is_first_party and a.api_scopes <> '{}' and (p.app_id is not null or asked.at is not null)
  order by a.name, a.client_id`;

/** The last change of the scopes of each app in `$1`. */
const scopeChanges = (further: string): string => `
  select app.id as "appId", changed.at as "changedAt", changed.by as "changedBy"
  from unnest($1::text[]) as app (id) cross join lateral (
    select e.occurred_at as at, ${nameOf('u')} as by
    from audit_events e left join users u on u.id = e.user_id
    where ${further} e.subject_type = 'App' and e.subject_id = app.id and e.changes ? 'apiScopes' and e.action = 'update'
    order by e.occurred_at desc limit 1) changed`;

type ScopeChange = Pick<ApprovalRow, 'appId' | 'changedAt' | 'changedBy'>;

export async function approvalRows(db: Database, organizationId: string): Promise<ApprovalRow[]> {
  const rows = await db.query<Omit<ApprovalRow, 'changedAt' | 'changedBy'>>(approvalsQuery, [
    organizationId,
  ]);
  // On a cluster, the events of apps themselves are on one node.
  const further = db.isDistributed ? `e.organization_id = '${noOrganization}' and` : '';
  const changes = await db.query<ScopeChange>(scopeChanges(further), [
    rows.map(({ appId }) => appId),
  ]);
  const byApp = new Map(changes.map((change) => [change.appId, change]));
  const unchanged = { changedAt: null, changedBy: null };
  return rows.map((row) => ({ ...row, ...unchanged, ...byApp.get(row.appId) }));
}

/** The organization, if the user is an active admin of it and it is active. */
export async function findAdministered(
  em: EntityManager,
  userId: string | null,
  organizationId: string,
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  const [organization] = await em.query<{ id: string; name: string }>(
    `select o.id, o.name from organization_members m join organizations o on o.id = m.organization_id
     where m.user_id = $1 and m.organization_id = $2 and m.status = 'active' and m.role = 'admin' and o.status = 'active'`,
    [userId, organizationId],
  );
  return organization;
}
