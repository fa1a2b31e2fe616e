/**
 * The registry of apps. Every change is audited in its own transaction, and applies to the next API
 * request.
 */

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import type { Database } from '../../database/connection.js';
import { type EntityManager, sql } from '../../database/entity-manager.js';
import type { Actor } from '../../database/record-changes.js';
import { App, AppSecret } from '../../entities/app.js';
import { ApiError } from '../../errors.js';
import type { Changes } from '../audit.js';
import { dropApprovedScopes, lockRegistrationsOf } from './app-statements.js';
import { recordAppEvent } from './events.js';
import { type AppInput, type AppSettings, addedScopes, checkSettings } from './rules.js';
import { addSecret } from './secrets.js';

export interface RegisteredApp extends Readonly<Omit<App, keyof AppSettings>>, AppSettings {}

/** The database has only known scopes. */
const registered = (app: App): RegisteredApp => app as App & AppSettings;

export async function appsOf(db: Database, ownerId: string): Promise<RegisteredApp[]> {
  const apps = await db.em.find(App, { ownerId }, { orderBy: { name: 'asc', clientId: 'asc' } });
  return apps.map(registered);
}

export async function findApp(db: Database, clientId: string): Promise<RegisteredApp | undefined> {
  const app = await db.em.findOne(App, { clientId });
  return app ? registered(app) : undefined;
}

/** @throws {ApiError} `not_found`, also for an app of another owner. */
export async function ownedApp(
  db: Database,
  ownerId: string,
  appId: string,
): Promise<RegisteredApp> {
  const app = await db.em.findOne(App, { id: appId, ownerId });
  if (!app) throw new ApiError('not_found', 'You have no such app.');
  return registered(app);
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
  db.em.transactional(async (em) => {
    const settings = checkSettings(input);
    await requireRoom(em, actor.userId);
    const id = randomUUIDv7();
    const clientId = `app_${randomBytes(12).toString('hex')}`;
    await em.insert(App, { id, clientId, ...columnsOf(settings), ownerId: actor.userId });
    await recordAppEvent(em, actor, 'create', id, changesBetween({}, settings));
    if (settings.tokenEndpointAuthMethod === 'none') return { id, clientId };
    return { id, clientId, secret: await addSecret(em, actor, id) };
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
  db.em.transactional(async (em) => {
    const settings = checkSettings(input);
    const app = await lockApp(em, appId);
    const changes = changesBetween(app, settings);
    if (Object.keys(changes).length === 0) return {};
    await em.nativeUpdate(App, { id: appId }, { ...columnsOf(settings), updatedAt });
    await recordAppEvent(em, actor, 'update', appId, changes);
    const dropped = addedScopes(settings.apiScopes, app.apiScopes);
    if (dropped.length > 0) await dropApprovedScopes(em, appId, dropped);
    const [was, is] = [app.tokenEndpointAuthMethod, settings.tokenEndpointAuthMethod];
    if (is === 'none') await em.nativeDelete(AppSecret, { appId });
    return was === 'none' && is !== 'none' ? { secret: await addSecret(em, actor, appId) } : {};
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
  db.em.transactional(async (em) => {
    const app = await lockApp(em, appId);
    if (app.status === status) return;
    await em.nativeUpdate(App, { id: appId }, { status, updatedAt });
    await recordAppEvent(em, actor, status === 'active' ? 'enable' : 'disable', appId, {
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
  db.em.transactional(async (em) => {
    const app = await lockApp(em, appId);
    if (app.isFirstParty === isFirstParty) return;
    await em.nativeUpdate(App, { id: appId }, { isFirstParty, updatedAt });
    await recordAppEvent(em, actor, 'update', appId, {
      isFirstParty: [app.isFirstParty, isFirstParty],
    });
  });

/**
 * Deletes an app with its secrets, grants and approvals; its audit events remain.
 * @throws {ApiError} `not_found`.
 */
export const deleteApp = (db: Database, actor: Actor, appId: string): Promise<void> =>
  db.em.transactional(async (em) => {
    const { name, clientId } = await lockApp(em, appId);
    await recordAppEvent(em, actor, 'delete', appId, {
      name: [name, null],
      clientId: [clientId, null],
    });
    await em.nativeDelete(App, { id: appId });
  });

const updatedAt = sql`statement_timestamp()`;

/** Maximum number of apps that a person owns. */
export const maxAppsPerPerson = 25;

/**
 * Serializes the registrations of a person, so that concurrent ones cannot exceed the limit.
 * Operators have no limit.
 */
async function requireRoom(em: EntityManager, ownerId: string | null): Promise<void> {
  if (ownerId === null) return;
  await lockRegistrationsOf(em, ownerId);
  const count = await em.count(App, { ownerId });
  if (count >= maxAppsPerPerson)
    throw new ApiError(
      'conflict',
      `You have ${count} apps, the maximum for one person. Delete one that you no longer need.`,
    );
}

async function lockApp(em: EntityManager, appId: string): Promise<RegisteredApp> {
  const app = await em.findOne(App, { id: appId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!app) throw new ApiError('not_found', 'There is no such app.');
  return registered(app);
}

const columnsOf = ({ redirectUris, apiScopes, ...settings }: AppSettings) => ({
  ...settings,
  redirectUris: [...redirectUris],
  apiScopes: [...apiScopes],
});

const changesBetween = (from: Partial<AppSettings>, to: AppSettings): Changes =>
  Object.fromEntries(
    (['name', 'tokenEndpointAuthMethod', 'redirectUris', 'apiScopes'] as const)
      .filter((property) => JSON.stringify(from[property]) !== JSON.stringify(to[property]))
      .map((property) => [property, [from[property] ?? null, to[property]]]),
  );
