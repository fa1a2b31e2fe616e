import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import { batch } from '../batch.js';
import type { Connection } from '../connection.js';
import { isInstant } from '../cursor.js';
import type { Arm, Condition } from '../keyset.js';
import { readPage } from '../lists.js';
import type { Source } from '../source.js';
import type { AuditEvent, AuditFilters } from './type.js';

/** An event as it is stored. */
export interface StoredEvent extends AuditEvent {
  readonly updatedAt: string;
  /** Property → [before, after]. */
  readonly changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
}

const events: Source = {
  from: 'audit_events e',
  columns: {
    id: 'e.id',
    occurredAt: 'e.occurred_at',
    updatedAt: 'e.occurred_at',
    action: 'e.action',
    subjectType: 'e.subject_type',
    subjectId: 'e.subject_id',
    userId: 'e.user_id',
    userDisplayName: "(select coalesce(nullif(u.display_name, ''), u.email) from users u where u.id = e.user_id)",
    appId: 'e.app_id',
    appName: '(select a.name from apps a where a.id = e.app_id)',
    requestId: 'e.request_id',
    changes: 'e.changes',
  },
  always: ['id', 'updatedAt'],
};

const newestFirst = { by: 'e.occurred_at', isPlace: isInstant, isDescending: true };

function armOf(organizationId: string, filters: AuditFilters): Arm {
  const { subjectType, subjectId, userId, appId, action, occurredFrom, occurredBefore } = filters;
  const where: Condition[] = [];
  if (occurredFrom) where.push(['e.occurred_at >= ?', occurredFrom]);
  if (occurredBefore) where.push(['e.occurred_at < ?', occurredBefore]);
  return {
    equals: {
      'e.organization_id': organizationId,
      'e.subject_type': subjectType,
      'e.subject_id': subjectId,
      'e.user_id': userId,
      'e.app_id': appId,
      'e.action': action,
    },
    where,
  };
}

/** The audit of an organization, newest first: one statement for each organization, however often it stands in the answer. */
export const listEvents = (
  ctx: Context,
  info: GraphQLResolveInfo,
  organizationId: string,
  filters: AuditFilters,
): Promise<Connection<StoredEvent>> =>
  batch<string, Connection<StoredEvent>>(ctx, info, 'auditEvents', (ids) =>
    Promise.all(
      ids.map((id) => {
        const list = { name: 'auditEvents', source: events, arms: [armOf(id, filters)], order: newestFirst };
        return readPage<StoredEvent>(ctx, info, list, filters);
      }),
    ),
  ).load(organizationId);
