/** The registry of apps: what their owners say of them. Every change is audited in its own transaction, and holds at the next API request. */
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/journal.js';
import { ApiError } from '../../errors.js';
import type { Changes } from '../audit.js';
import { recordAppEvent } from './events.js';
import { type AppInput, type AppSettings, addedScopes, checkSettings } from './rules.js';
import { addSecret } from './secrets.js';

export interface RegisteredApp extends AppSettings {
  readonly id: string;
  readonly clientId: string;
  readonly status: 'active' | 'disabled';
  readonly isFirstParty: boolean;
  readonly ownerId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const columns = `id, client_id as "clientId", name, token_endpoint_auth_method as "tokenEndpointAuthMethod", redirect_uris as "redirectUris",
  api_scopes as "apiScopes", is_first_party as "isFirstParty", status, owner_id as "ownerId", created_at as "createdAt", updated_at as "updatedAt"`;

export const appsOf = (db: Database, ownerId: string): Promise<RegisteredApp[]> =>
  db.query<RegisteredApp>(`select ${columns} from apps where owner_id = $1 order by name, client_id`, [ownerId]);

export async function findApp(db: Database, clientId: string): Promise<RegisteredApp | undefined> {
  const [app] = await db.query<RegisteredApp>(`select ${columns} from apps where client_id = $1`, [clientId]);
  return app;
}

/** @throws {ApiError} `not_found`, the same whether there is no such app or it is somebody else's. */
export async function ownedApp(db: Database, ownerId: string, appId: string): Promise<RegisteredApp> {
  const [app] = await db.query<RegisteredApp>(`select ${columns} from apps where id = $1 and owner_id = $2`, [appId, ownerId]);
  if (!app) throw new ApiError('not_found', 'There is no such app among yours.');
  return app;
}

/**
 * Registers an app of the actor.
 * @returns Its id, and for a confidential app the secret, which can't be had again.
 * @throws {ApiError} `validation_error`.
 */
export const registerApp = (db: Database, actor: Actor, input: AppInput): Promise<{ id: string; clientId: string; secret?: string }> =>
  db.transaction(async (tx) => {
    const settings = checkSettings(input);
    const id = randomUUIDv7();
    const clientId = `app_${randomBytes(12).toString('hex')}`;
    await tx.query(
      `insert into apps (id, client_id, name, token_endpoint_auth_method, redirect_uris, api_scopes, owner_id) values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, clientId, ...valuesOf(settings), actor.userId],
    );
    await recordAppEvent(tx, actor, 'create', id, changesBetween({}, settings));
    if (settings.tokenEndpointAuthMethod === 'none') return { id, clientId };
    return { id, clientId, secret: await addSecret(tx, actor, id) };
  });

/**
 * What an app no longer asks for is no longer approved: asked for again, it is new again. What it asks for anew waits in each organization.
 * @returns The first secret of an app that becomes confidential. One that becomes public loses its secrets.
 * @throws {ApiError} `validation_error` or `not_found`.
 */
export const updateApp = (db: Database, actor: Actor, appId: string, input: AppInput): Promise<{ secret?: string }> =>
  db.transaction(async (tx) => {
    const settings = checkSettings(input);
    const app = await lockApp(tx, appId);
    const changes = changesBetween(app, settings);
    if (Object.keys(changes).length === 0) return {};
    await tx.query(
      `update apps set name = $2, token_endpoint_auth_method = $3, redirect_uris = $4, api_scopes = $5, updated_at = clock_timestamp() where id = $1`,
      [appId, ...valuesOf(settings)],
    );
    await recordAppEvent(tx, actor, 'update', appId, changes);
    const dropped = addedScopes(settings.apiScopes, app.apiScopes);
    if (dropped.length > 0) {
      await tx.query(
        `update app_approvals set scopes = array(select unnest(scopes) except select unnest($2::text[])) where app_id = $1 and scopes && $2::text[]`,
        [appId, dropped],
      );
    }
    const [was, is] = [app.tokenEndpointAuthMethod, settings.tokenEndpointAuthMethod];
    if (is === 'none') await tx.query('delete from app_secrets where app_id = $1', [appId]);
    return was === 'none' && is !== 'none' ? { secret: await addSecret(tx, actor, appId) } : {};
  });

/** Turns an app off or on: while off, its tokens are refused and nobody can sign in through it. @throws {ApiError} `not_found`. */
export const setAppStatus = (db: Database, actor: Actor, appId: string, status: RegisteredApp['status']): Promise<void> =>
  db.transaction(async (tx) => {
    const app = await lockApp(tx, appId);
    if (app.status === status) return;
    await tx.query('update apps set status = $2, updated_at = clock_timestamp() where id = $1', [appId, status]);
    await recordAppEvent(tx, actor, status === 'active' ? 'enable' : 'disable', appId, { status: [app.status, status] });
  });

/** A first-party app needs no approval anywhere. For operators alone. @throws {ApiError} `not_found`. */
export const setFirstParty = (db: Database, actor: Actor, appId: string, isFirstParty: boolean): Promise<void> =>
  db.transaction(async (tx) => {
    const app = await lockApp(tx, appId);
    if (app.isFirstParty === isFirstParty) return;
    await tx.query('update apps set is_first_party = $2, updated_at = clock_timestamp() where id = $1', [appId, isFirstParty]);
    await recordAppEvent(tx, actor, 'update', appId, { isFirstParty: [app.isFirstParty, isFirstParty] });
  });

/** Deletes an app with its secrets, grants and approvals; its audit events stay. @throws {ApiError} `not_found`. */
export const deleteApp = (db: Database, actor: Actor, appId: string): Promise<void> =>
  db.transaction(async (tx) => {
    const { name, clientId } = await lockApp(tx, appId);
    await recordAppEvent(tx, actor, 'delete', appId, { name: [name, null], clientId: [clientId, null] });
    await tx.query('delete from apps where id = $1', [appId]);
  });

async function lockApp(tx: Database, appId: string): Promise<RegisteredApp> {
  const [app] = await tx.query<RegisteredApp>(`select ${columns} from apps where id = $1 for update`, [appId]);
  if (!app) throw new ApiError('not_found', 'There is no such app.');
  return app;
}

const valuesOf = ({ name, tokenEndpointAuthMethod, redirectUris, apiScopes }: AppSettings): unknown[] => [
  name,
  tokenEndpointAuthMethod,
  redirectUris,
  apiScopes,
];

const changesBetween = (from: Partial<AppSettings>, to: AppSettings): Changes =>
  Object.fromEntries(
    (['name', 'tokenEndpointAuthMethod', 'redirectUris', 'apiScopes'] as const)
      .filter((property) => JSON.stringify(from[property]) !== JSON.stringify(to[property]))
      .map((property) => [property, [from[property] ?? null, to[property]]]),
  );
