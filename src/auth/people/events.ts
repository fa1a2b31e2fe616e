import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/journal.js';
import { recordEvent } from '../audit.js';

export type UserAction = 'change_password' | 'set_password' | 'create_link' | 'add_passkey' | 'remove_passkey';

/** Writes an audit event about how a person signs in. Call it in the transaction of the change. */
export const recordUserEvent = (
  tx: Database,
  actor: Actor,
  action: UserAction,
  subjectId: string,
  organizationId: string | null = null,
): Promise<void> => recordEvent(tx, actor, { action, subjectType: 'User', subjectId, organizationId });
