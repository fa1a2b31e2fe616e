import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import { AuditEvent } from '../../entities/journal.js';
import { batch } from '../batch.js';
import type { Connection } from '../connection.js';
import { isInstant } from '../cursor.js';
import type { Arm, Condition } from '../keyset.js';
import { readPage } from '../lists.js';
import { sourceOf } from '../source.js';
import type { AuditFilters } from './type.js';

const events = sourceOf(AuditEvent, 'e', {
  computed: {
    updatedAt: 'e.occurred_at',
    userDisplayName:
      "(select coalesce(nullif(u.display_name, ''), u.email) from users u where u.id = e.user_id)",
    appName: '(select a.name from apps a where a.id = e.app_id)',
  },
  always: ['id', 'updatedAt'],
});

/** An event with its sort key. */
type Stored = AuditEvent & { readonly updatedAt: string };

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

/**
 * Lists the audit events of an organization, newest first, in one statement per organization and
 * request.
 */
export const listEvents = (
  ctx: Context,
  info: GraphQLResolveInfo,
  organizationId: string,
  filters: AuditFilters,
): Promise<Connection<Stored>> =>
  batch<string, Connection<Stored>>(ctx, info, 'auditEvents', (ids) =>
    Promise.all(
      ids.map((id) => {
        const list = {
          name: 'auditEvents',
          source: events,
          arms: [armOf(id, filters)],
          order: newestFirst,
        };
        return readPage<Stored>(ctx, info, list, filters);
      }),
    ),
  ).load(organizationId);
