/**
 * The audit of apps, approvals and sign-in, and queries of every audit log.
 * database/record-changes.ts audits the rows of organizations.
 */
import { randomUUIDv7 } from 'node:crypto';
import { type EntityManager, sql } from '../database/entity-manager.js';
import { noOrganization } from '../database/placements.js';
import type { Actor } from '../database/record-changes.js';
import { AuditEvent } from '../entities/change-log.js';
import type { Changes } from './audit-statements.js';

export {
  type About,
  type AuditEntry,
  auditOf,
  auditPageSize,
  type Changes,
} from './audit-statements.js';

export interface AuditEventInput {
  readonly action: string;
  readonly subjectType: 'App' | 'User' | 'SigningKey' | 'Invitation';
  readonly subjectId: string;
  readonly changes?: Changes;
  /** The organization whose log shows the event; null for none. */
  readonly organizationId?: string | null;
  /** Default: a new id. An event with an existing id is not written. */
  readonly id?: string;
}

/** Writes an audit event. Call it in the transaction of the change. */
export async function recordEvent(
  em: EntityManager,
  { userId, appId, requestId }: Actor,
  event: AuditEventInput,
): Promise<void> {
  const {
    action,
    subjectType,
    subjectId,
    changes = {},
    organizationId = null,
    id = randomUUIDv7(),
  } = event;
  const { isDistributed } = em.handle;
  await em
    .createQueryBuilder(AuditEvent)
    .insert({
      id,
      organizationId: organizationId ?? (isDistributed ? noOrganization : null),
      userId,
      appId,
      action,
      subjectType,
      subjectId,
      changes,
      requestId,
      occurredAt: sql`clock_timestamp()`,
    })
    .onConflict(isDistributed ? ['organizationId', 'id'] : 'id')
    .ignore()
    .execute();
}
