import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../../database/connection.js';
import type { Actor } from '../../database/journal.js';

export type UserAction = 'change_password' | 'set_password' | 'create_link' | 'add_passkey' | 'remove_passkey';

/** Writes an audit event about how a person signs in. Call it in the transaction of the change. Never give it a secret. */
export async function recordUserEvent(
  tx: Database,
  { userId, requestId }: Actor,
  action: UserAction,
  subjectId: string,
  organizationId: string | null = null,
): Promise<void> {
  await tx.query(
    `insert into audit_events (id, organization_id, user_id, action, subject_type, subject_id, changes, request_id, occurred_at)
     values ($1, $2, $3, $4, 'User', $5, '{}', $6, clock_timestamp())`,
    [uuidv7(), organizationId, userId, action, subjectId, requestId],
  );
}
