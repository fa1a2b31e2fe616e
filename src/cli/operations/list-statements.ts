/** SQL of the operator's lists: aggregates and joins that MikroORM's builder cannot express. */
import type { Changes } from '../../auth/audit.js';
import type { Database } from '../../database/connection.js';
import { addressOf, canSignIn } from '../../entities/user.js';
import type { ChangedProperty } from '../../rules/difference.js';

interface ListedOrganization {
  readonly slug: string;
  readonly name: string;
  readonly status: string;
  readonly is_publisher: boolean;
  /** Number of members that are not suspended. */
  readonly members: number;
  readonly created_at: string;
}

export async function selectOrganizations(db: Database): Promise<ListedOrganization[]> {
  return db.query<ListedOrganization>(
    `select o.slug, o.name, o.status, o.is_publisher,
       (select count(*)::int from organization_members m where m.organization_id = o.id and m.status <> 'suspended') as members, o.created_at
     from organizations o order by o.slug`,
  );
}

interface ListedUser {
  readonly email: string;
  readonly sign_in_name: string;
  readonly is_proven: boolean;
  readonly name: string;
  readonly status: string;
  /** False until the first password or passkey. */
  readonly can_sign_in: boolean;
  /** Slugs. */
  readonly organizations: readonly string[];
  readonly created_at: string;
}

/** @param organization A slug, to list only its members. */
export async function selectUsers(
  db: Database,
  organization: string | undefined,
): Promise<ListedUser[]> {
  return db.query<ListedUser>(
    `select ${addressOf('u')} as email, u.email as sign_in_name, u.email_proven_at is not null as is_proven, u.display_name as name, u.status,
       ${canSignIn('u')} as can_sign_in,
       coalesce(array_agg(o.slug order by o.slug) filter (where o.slug is not null), '{}') as organizations, u.created_at
     from users u left join organization_members m on m.user_id = u.id left join organizations o on o.id = m.organization_id
     group by u.id having $1::text is null or $1 = any(array_agg(o.slug)) order by lower(u.email)`,
    [organization ?? null],
  );
}

interface ListedKey {
  readonly kid: string;
  readonly purpose: string;
  readonly algorithm: string;
  readonly state: 'waiting' | 'signing' | 'verifying' | 'retired';
  readonly is_encrypted: boolean;
  readonly signs_from: string;
  /** When it stops verifying; null without a successor. */
  readonly retires_at: string | null;
}

export async function selectKeys(db: Database): Promise<ListedKey[]> {
  return db.query<ListedKey>(
    `select kid, purpose, algorithm,
       case when retires_at <= now() then 'retired' when active_from > now() then 'waiting'
         when active_from = max(active_from) filter (where active_from <= now() and (retires_at is null or retires_at > now())) over (partition by purpose)
         then 'signing' else 'verifying' end as state,
       private_jwk ? 'jwe' as is_encrypted, active_from as signs_from, retires_at
     from signing_keys order by purpose, active_from desc`,
  );
}

interface ListedApp {
  readonly client_id: string;
  readonly name: string;
  readonly status: string;
  readonly is_first_party: boolean;
  /** Null for an app of the operator. */
  readonly owner: string | null;
  /** Number of active grants. */
  readonly grants: number;
}

const liveGrants =
  '(select count(*)::int from grants g where g.app_id = a.id and g.expires_at > now())';

export async function selectApps(db: Database): Promise<ListedApp[]> {
  return db.query<ListedApp>(
    `select a.client_id, a.name, a.status, a.is_first_party, u.email as owner, ${liveGrants} as grants
     from apps a left join users u on u.id = a.owner_id order by a.client_id`,
  );
}

interface Approval {
  readonly organization: string;
  readonly scopes: readonly string[];
  readonly approved_at: string;
}

export interface ShownApp extends ListedApp {
  readonly authentication: string;
  readonly redirect_uris: readonly string[];
  readonly api_scopes: readonly string[];
  readonly secrets: number;
  readonly approvals: readonly Approval[];
  readonly created_at: string;
}

export async function selectApp(db: Database, id: string): Promise<Omit<ShownApp, 'approvals'>> {
  const [app] = await db.query<Omit<ShownApp, 'approvals'>>(
    `select a.client_id, a.name, a.status, a.is_first_party, u.email as owner, ${liveGrants} as grants, a.token_endpoint_auth_method as authentication,
       a.redirect_uris, a.api_scopes, (select count(*)::int from app_secrets s where s.app_id = a.id and (s.expires_at is null or s.expires_at > now())) as secrets,
       a.created_at
     from apps a left join users u on u.id = a.owner_id where a.id = $1`,
    [id],
  );
  return app as Omit<ShownApp, 'approvals'>;
}

export interface Event {
  readonly id: string;
  readonly occurred_at: string;
  readonly action: string;
  readonly subject_type: string;
  readonly subject_id: string;
  /** The slug; null outside of organizations. */
  readonly organization: string | null;
  /** The e-mail address of the actor; null for the operator, and after a failed sign-in. */
  readonly person: string | null;
  /** The client_id. */
  readonly app: string | null;
  /** Null for the operator. */
  readonly request_id: string | null;
  readonly changes: readonly ChangedProperty[];
}

/** @param conditions SQL over the event `e`, with `$n` for the values. */
export async function selectEvents(
  db: Database,
  conditions: readonly string[],
  values: readonly unknown[],
  count: number,
): Promise<(Omit<Event, 'changes'> & { readonly changes: Changes })[]> {
  return db.query<Omit<Event, 'changes'> & { readonly changes: Changes }>(
    `select e.id, e.occurred_at, e.action, e.subject_type, e.subject_id, o.slug as organization, u.email as person, a.client_id as app, e.request_id, e.changes
     from audit_events e left join organizations o on o.id = e.organization_id left join users u on u.id = e.user_id left join apps a on a.id = e.app_id
     ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by e.occurred_at desc, e.id desc limit ${count}`,
    values,
  );
}
