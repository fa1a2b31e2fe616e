/**
 * The registry of apps. Every change is audited in its own transaction, and applies to the next API
 * request.
 */
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/record-changes.js';
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
  db.query<RegisteredApp>(
    `select ${columns} from apps where owner_id = $1 order by name, client_id`,
    [ownerId],
  );

export async function findApp(db: Database, clientId: string): Promise<RegisteredApp | undefined> {
  const [app] = await db.query<RegisteredApp>(`select ${columns} from apps where client_id = $1`, [
    clientId,
  ]);
  return app;
}

/** @throws {ApiError} `not_found`, also for an app of another owner. */
export async function ownedApp(
  db: Database,
  ownerId: string,
  appId: string,
): Promise<RegisteredApp> {
  const [app] = await db.query<RegisteredApp>(
    `select ${columns} from apps where id = $1 and owner_id = $2`,
    [appId, ownerId],
  );
  if (!app) throw new ApiError('not_found', 'You have no such app.');
  return app;
}

/**
 * Registers an app of the actor.
 * @returns Its id, and for a confidential app the secret, which cannot be retrieved again.
 * @throws {ApiError} `validation_error`; `conflict` when the person has the maximum number of apps.
 */
export const registerApp = (
  db: Database,
  actor: Actor,
  input: AppInput,
): Promise<{ id: string; clientId: string; secret?: string }> =>
  db.transaction(async (tx) => {
    const settings = checkSettings(input);
    await requireRoom(tx, actor.userId);
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
 * Removed scopes lose their approval, and need a new one if they are requested again. New scopes
 * await approval in each organization.
 * @returns The first secret of an app that becomes confidential. An app that becomes public loses
 * its secrets.
 * @throws {ApiError} `validation_error` or `not_found`.
 */
export const updateApp = (
  db: Database,
  actor: Actor,
  appId: string,
  input: AppInput,
): Promise<{ secret?: string }> =>
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

/**
 * Enables or disables an app. The tokens of a disabled app are refused, and sign-in through it is
 * blocked.
 * @throws {ApiError} `not_found`.
 */
export const setAppStatus = (
  db: Database,
  actor: Actor,
  appId: string,
  status: RegisteredApp['status'],
): Promise<void> =>
  db.transaction(async (tx) => {
    const app = await lockApp(tx, appId);
    if (app.status === status) return;
    await tx.query('update apps set status = $2, updated_at = clock_timestamp() where id = $1', [
      appId,
      status,
    ]);
    await recordAppEvent(tx, actor, status === 'active' ? 'enable' : 'disable', appId, {
      status: [app.status, status],
    });
  });

/**
 * A first-party app needs no approval in any organization. For operators only.
 * @throws {ApiError} `not_found`.
 */
export const setFirstParty = (
  db: Database,
  actor: Actor,
  appId: string,
  isFirstParty: boolean,
): Promise<void> =>
  db.transaction(async (tx) => {
    const app = await lockApp(tx, appId);
    if (app.isFirstParty === isFirstParty) return;
    await tx.query(
      'update apps set is_first_party = $2, updated_at = clock_timestamp() where id = $1',
      [appId, isFirstParty],
    );
    await recordAppEvent(tx, actor, 'update', appId, {
      isFirstParty: [app.isFirstParty, isFirstParty],
    });
  });

/**
 * Deletes an app with its secrets, grants and approvals; its audit events remain.
 * @throws {ApiError} `not_found`.
 */
export const deleteApp = (db: Database, actor: Actor, appId: string): Promise<void> =>
  db.transaction(async (tx) => {
    const { name, clientId } = await lockApp(tx, appId);
    await recordAppEvent(tx, actor, 'delete', appId, {
      name: [name, null],
      clientId: [clientId, null],
    });
    await tx.query('delete from apps where id = $1', [appId]);
  });

/** Maximum number of apps that a person owns. */
export const maxAppsPerPerson = 25;

/**
 * Serializes the registrations of a person, so that concurrent ones cannot exceed the limit.
 * Operators have no limit.
 */
async function requireRoom(tx: Database, ownerId: string | null): Promise<void> {
  if (ownerId === null) return;
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('apps of ' || $1::text, 0))`, [
    ownerId,
  ]);
  const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(
    'select count(*)::int as count from apps where owner_id = $1',
    [ownerId],
  );
  if (count >= maxAppsPerPerson)
    throw new ApiError(
      'conflict',
      `You have ${count} apps, the maximum for one person. Delete one that you no longer need.`,
    );
}

async function lockApp(tx: Database, appId: string): Promise<RegisteredApp> {
  const [app] = await tx.query<RegisteredApp>(
    `select ${columns} from apps where id = $1 for update`,
    [appId],
  );
  if (!app) throw new ApiError('not_found', 'There is no such app.');
  return app;
}

const valuesOf = ({
  name,
  tokenEndpointAuthMethod,
  redirectUris,
  apiScopes,
}: AppSettings): unknown[] => [name, tokenEndpointAuthMethod, redirectUris, apiScopes];

const changesBetween = (from: Partial<AppSettings>, to: AppSettings): Changes =>
  Object.fromEntries(
    (['name', 'tokenEndpointAuthMethod', 'redirectUris', 'apiScopes'] as const)
      .filter((property) => JSON.stringify(from[property]) !== JSON.stringify(to[property]))
      .map((property) => [property, [from[property] ?? null, to[property]]]),
  );
