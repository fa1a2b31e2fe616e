/** Lanyard's own apps: browser clients of its API, registered like other apps. */
import { randomUUIDv7 } from 'node:crypto';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import { sql } from '../../database/entity-manager.js';
import type { Actor } from '../../database/record-changes.js';
import { App } from '../../entities/app.js';
import { type ApiScope, apiScopes } from '../scopes.js';
import { recordAppEvent } from './events.js';
import { findApp } from './registry.js';

export interface OwnApp {
  /** The same in every deployment, so that it needs no configuration. */
  readonly clientId: string;
  readonly name: string;
  /** The path of its page, its only redirect URI. */
  readonly path: string;
  readonly scopes: readonly ApiScope[];
}

/** The dashboard only reads. */
export const dashboardApp: OwnApp = {
  clientId: 'lanyard-dashboard',
  name: 'Lanyard Dashboard',
  path: '/dashboard',
  scopes: [
    'organization_members:read',
    'certification_types:read',
    'certification_records:read',
    'qualifications:read',
    'job_roles:read',
  ],
};

/** GraphiQL executes any document that its user enters, within the user's permissions. */
export const graphiqlApp: OwnApp = {
  clientId: 'lanyard-graphiql',
  name: 'Lanyard GraphiQL',
  path: '/graphiql',
  scopes: apiScopes,
};

/** The API reference sends the requests that its reader enters, within the reader's permissions. */
export const referenceApp: OwnApp = {
  clientId: 'lanyard-reference',
  name: 'Lanyard API Reference',
  path: '/docs',
  scopes: apiScopes,
};

export const ownApps: readonly OwnApp[] = [dashboardApp, graphiqlApp, referenceApp];

/**
 * Whether people can sign in to the app: it was enabled for this BASE_URL, and has not been
 * disabled since.
 */
export async function isEnabled(
  db: Database,
  config: Config,
  { clientId, path }: OwnApp,
): Promise<boolean> {
  const app = await findApp(db, clientId);
  return app?.status === 'active' && app.redirectUris.includes(config.BASE_URL + path);
}

/**
 * Registers the app, or updates its registration: a public first-party app. A disabled app stays
 * disabled.
 * @returns Whether anything changed.
 */
export const enableOwnApp = (
  db: Database,
  actor: Actor,
  config: Config,
  { clientId, name, path, scopes }: OwnApp,
): Promise<boolean> =>
  db.em.transactional(async (em) => {
    const redirectUris = [config.BASE_URL + path];
    const app = await em.findOne(App, { clientId });
    if (
      JSON.stringify([app?.redirectUris, app?.apiScopes]) === JSON.stringify([redirectUris, scopes])
    )
      return false;
    const [row] = await em
      .createQueryBuilder(App)
      .insert({
        id: randomUUIDv7(),
        clientId,
        name,
        tokenEndpointAuthMethod: 'none',
        redirectUris,
        apiScopes: [...scopes],
        isFirstParty: true,
        updatedAt: sql`statement_timestamp()`,
      })
      .onConflict('clientId')
      .merge(['redirectUris', 'apiScopes', 'updatedAt'])
      .returning('id')
      .execute('all');
    await recordAppEvent(em, actor, app ? 'update' : 'create', row?.id ?? '', {
      redirectUris: [app?.redirectUris ?? null, redirectUris],
      apiScopes: [app?.apiScopes ?? null, scopes],
    });
    return true;
  });
