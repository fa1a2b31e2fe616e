/** Operator functions for apps. */
import { findApp, type RegisteredApp } from '../../auth/apps/registry.js';
import type { Database } from '../../database/connection.js';
import { ApiError } from '../../errors.js';
import { type CommandOutput, list } from '../output/command-output.js';

/** @throws {ApiError} `not_found`. */
export async function requireApp(db: Database, clientId: string): Promise<RegisteredApp> {
  const app = await findApp(db, clientId);
  if (!app)
    throw new ApiError(
      'not_found',
      `There is no app ${clientId}: “lanyard apps list” shows them all.`,
    );
  return app;
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

export async function listApps(db: Database): Promise<CommandOutput> {
  const apps = await db.query<ListedApp>(
    `select a.client_id, a.name, a.status, a.is_first_party, u.email as owner, ${liveGrants} as grants
     from apps a left join users u on u.id = a.owner_id order by a.client_id`,
  );
  return list('apps', apps, {
    CLIENT_ID: (app) => app.client_id,
    NAME: (app) => app.name,
    STATUS: (app) => (app.is_first_party ? `${app.status}, first-party` : app.status),
    OWNER: (app) => app.owner ?? 'operator',
    GRANTS: (app) => app.grants,
  });
}

interface Approval {
  readonly organization: string;
  readonly scopes: readonly string[];
  readonly approved_at: string;
}

interface ShownApp extends ListedApp {
  readonly authentication: string;
  readonly redirect_uris: readonly string[];
  readonly api_scopes: readonly string[];
  readonly secrets: number;
  readonly approvals: readonly Approval[];
  readonly created_at: string;
}

/** One app, with its approvals by organizations. @throws {ApiError} `not_found`. */
export async function showApp(db: Database, clientId: string): Promise<CommandOutput> {
  const { id } = await requireApp(db, clientId);
  const [app] = (await db.query<Omit<ShownApp, 'approvals'>>(
    `select a.client_id, a.name, a.status, a.is_first_party, u.email as owner, ${liveGrants} as grants, a.token_endpoint_auth_method as authentication,
       a.redirect_uris, a.api_scopes, (select count(*)::int from app_secrets s where s.app_id = a.id and (s.expires_at is null or s.expires_at > now())) as secrets,
       a.created_at
     from apps a left join users u on u.id = a.owner_id where a.id = $1`,
    [id],
  )) as [Omit<ShownApp, 'approvals'>];
  const approvals = await db.query<Approval>(
    `select o.slug as organization, p.scopes, p.approved_at from app_approvals p join organizations o on o.id = p.organization_id
     where p.app_id = $1 and p.revoked_at is null order by o.slug`,
    [id],
  );
  return { text: describe({ ...app, approvals }), json: { app: { ...app, approvals } } };
}

const describe = ({ approvals, ...app }: ShownApp): string => {
  const lines: readonly (readonly [string, string | number])[] = [
    ['client_id', app.client_id],
    ['name', app.name],
    ['status', app.is_first_party ? `${app.status}, first-party` : app.status],
    ['owner', app.owner ?? 'operator'],
    ['authentication', app.authentication],
    ['live secrets', app.secrets],
    ['live grants', app.grants],
    ['redirect URIs', app.redirect_uris.join(' ')],
    ['API scopes', app.api_scopes.join(' ')],
    ...approvals.map(
      ({ organization, scopes }) => [`approved by ${organization}`, scopes.join(' ')] as const,
    ),
  ];
  return lines.map(([name, value]) => `${name}: ${value}\n`).join('');
};
