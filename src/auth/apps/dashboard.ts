/** The app of the dashboard page: Lanyard's own client of its GraphQL endpoint, registered like any other. */
import { randomUUIDv7 } from 'node:crypto';
import type { Config } from '../../config.js';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/journal.js';
import type { ApiScope } from '../scopes.js';
import { recordAppEvent } from './events.js';
import { findApp } from './registry.js';

/** The same in every deployment, so that nothing has to be configured. */
export const dashboardClientId = 'lanyard-dashboard';

/** The page reads, and changes nothing. */
const scopes: readonly ApiScope[] = [
  'organization_members:read',
  'certification_types:read',
  'certification_records:read',
  'qualifications:read',
  'job_roles:read',
];

/** Whether people can sign in to the dashboard here: it was enabled for this very address, and not disabled since. */
export async function isDashboardEnabled(db: Database, config: Config): Promise<boolean> {
  const app = await findApp(db, dashboardClientId);
  return app?.status === 'active' && app.redirectUris.includes(addressOf(config));
}

/**
 * Registers the dashboard, or mends its registration: a public first-party app whose codes go nowhere but to the page itself.
 * An app that was disabled stays so.
 * @returns Whether anything changed.
 */
export const enableDashboard = (db: Database, actor: Actor, config: Config): Promise<boolean> =>
  db.transaction(async (tx) => {
    const redirectUris = [addressOf(config)];
    const app = await findApp(tx, dashboardClientId);
    if (JSON.stringify([app?.redirectUris, app?.apiScopes]) === JSON.stringify([redirectUris, scopes])) return false;
    const [row] = await tx.query<{ id: string }>(
      `insert into apps (id, client_id, name, token_endpoint_auth_method, redirect_uris, api_scopes, is_first_party)
       values ($1, $2, 'Lanyard Dashboard', 'none', $3, $4, true)
       on conflict (client_id) do update set redirect_uris = excluded.redirect_uris, api_scopes = excluded.api_scopes, updated_at = clock_timestamp()
       returning id`,
      [randomUUIDv7(), dashboardClientId, redirectUris, scopes],
    );
    await recordAppEvent(tx, actor, app ? 'update' : 'create', row?.id ?? '', {
      redirectUris: [app?.redirectUris ?? null, redirectUris],
      apiScopes: [app?.apiScopes ?? null, scopes],
    });
    return true;
  });

const addressOf = ({ BASE_URL }: Config): string => `${BASE_URL}/dashboard`;
