/** Apps that tests make for themselves. */
import { randomUUID } from 'node:crypto';
import { type ApiScope, apiScopes } from '../../src/auth/scopes.js';
import type { Database } from '../../src/database/connection.js';

export interface NewApp {
  readonly scopes: readonly ApiScope[];
  /**
   * Ids of organizations whose admin approved scopes, and which. Left out: a first-party app, which
   * needs none.
   */
  readonly approved?: Readonly<Record<string, readonly ApiScope[]>>;
}

/** Makes an app with the client id. */
export async function makeApp(
  db: Database,
  clientId: string,
  { scopes, approved }: NewApp,
): Promise<void> {
  const id = randomUUID();
  await db.query(
    `insert into apps (id, client_id, name, token_endpoint_auth_method, api_scopes, is_first_party) values ($1, $2, $2, 'none', $3, $4)`,
    [id, clientId, scopes, approved === undefined],
  );
  for (const [organizationId, approvedScopes] of Object.entries(approved ?? {})) {
    await db.query(
      'insert into app_approvals (organization_id, app_id, scopes, approved_at) values ($1, $2, $3, now())',
      [organizationId, id, approvedScopes],
    );
  }
}

/** For each scope a first-party app that has all the others. */
export async function makeAppsWithoutOneScope(db: Database): Promise<void> {
  for (const scope of apiScopes)
    await makeApp(db, appWithout(scope), { scopes: apiScopes.filter((each) => each !== scope) });
}

export const appWithout = (scope: ApiScope): string => `without-${scope}`;
