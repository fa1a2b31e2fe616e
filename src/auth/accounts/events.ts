import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/record-changes.js';
import { type Changes, recordEvent } from '../audit.js';

export type UserAction =
  | 'create'
  | 'disable'
  | 'enable'
  | 'sign_in'
  | 'end_session'
  | 'grant'
  | 'end_grant'
  | 'issue_token'
  | 'end_other_sessions'
  | 'change_password'
  | 'set_password'
  | 'create_link'
  | 'prove_address'
  | 'lose_address'
  | 'end_managed'
  | 'add_passkey'
  | 'confirm_passkey'
  | 'remove_passkey';

/**
 * Writes an audit event about a person's account or sign-in. Call it in the transaction of the
 * change.
 */
export const recordUserEvent = (
  tx: Database,
  actor: Actor,
  action: UserAction,
  subjectId: string,
  changes: Changes = {},
  organizationId: string | null = null,
): Promise<void> =>
  recordEvent(tx, actor, { action, subjectType: 'User', subjectId, changes, organizationId });
