import type { EntityManager } from '../../database/entity-manager.js';
import type { Actor } from '../../database/record-changes.js';
import { type Changes, recordEvent } from '../audit.js';

export type AppAction =
  | 'create'
  | 'update'
  | 'delete'
  | 'disable'
  | 'enable'
  | 'add_secret'
  | 'revoke_secret'
  | 'revoke_grant'
  | 'approve'
  | 'revoke_approval';

/** Writes an audit event about an app. Call it in the transaction of the change. */
export const recordAppEvent = (
  em: EntityManager,
  actor: Actor,
  action: AppAction,
  appId: string,
  changes: Changes = {},
  organizationId: string | null = null,
): Promise<void> =>
  recordEvent(em, actor, { action, subjectType: 'App', subjectId: appId, changes, organizationId });
