/** Operator functions for apps. */
import { findApp, type RegisteredApp } from '../../auth/apps/registry.js';
import type { Database } from '../../database/connection.js';
import { AppApproval } from '../../entities/app.js';
import { ApiError } from '../../errors.js';
import { type CommandOutput, list } from '../output/command-output.js';
import { type ShownApp, selectApp, selectApps } from './list-statements.js';

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

export async function listApps(db: Database): Promise<CommandOutput> {
  const apps = await selectApps(db);
  return list('apps', apps, {
    CLIENT_ID: (app) => app.client_id,
    NAME: (app) => app.name,
    STATUS: (app) => (app.is_first_party ? `${app.status}, first-party` : app.status),
    OWNER: (app) => app.owner ?? 'operator',
    GRANTS: (app) => app.grants,
  });
}

/** One app, with its approvals by organizations. @throws {ApiError} `not_found`. */
export async function showApp(db: Database, clientId: string): Promise<CommandOutput> {
  const { id } = await requireApp(db, clientId);
  const app = await selectApp(db, id);
  const found = await db.em.find(
    AppApproval,
    { appId: id, revokedAt: null },
    { populate: ['organization'], orderBy: { organization: { slug: 'asc' } } },
  );
  const approvals = found.map(({ organization, scopes, approvedAt }) => ({
    organization: organization.slug,
    scopes,
    approved_at: approvedAt,
  }));
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
