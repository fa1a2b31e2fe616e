import type { GraphQLResolveInfo } from 'graphql';
import { Args, ArgsType, Ctx, Field, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Access } from '../auth/policy.js';
import { apiScopes } from '../auth/scopes.js';
import type { Context } from '../context.js';
import { AuditEvent } from '../entities/change-log.js';
import { Organization } from '../entities/organization.js';
import { changedProperties } from '../rules/difference.js';
import { DateTime, Name, Text, UUID } from '../scalars/scalars.js';
import { Caller, Scope } from './access.js';
import { PropertyChange } from './certifications/history/type.js';
import { batch } from './reads/batch.js';
import { type Connection, connectionOf, PageArgs } from './reads/connection.js';
import { isInstant } from './reads/cursor.js';
import type { Branch, Condition } from './reads/keyset.js';
import { readPage } from './reads/lists.js';
import { projectionOf } from './reads/projection.js';

export const AuditEventConnection = connectionOf(AuditEvent, 'AuditEvent');

@ArgsType()
export class AuditFilters extends PageArgs {
  @Field(() => Name, {
    nullable: true,
    description: 'Returns only events with this subject type, such as `Certification`.',
  })
  subjectType?: string | null;

  @Field(() => Text, { nullable: true, description: 'Returns only events with this subject id.' })
  subjectId?: string | null;

  @Field(() => UUID, { nullable: true, description: 'Returns only events of this user.' })
  userId?: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'Returns only events that came through this app.',
  })
  appId?: string | null;

  @Field(() => Name, {
    nullable: true,
    description: 'Returns only events with this action, such as `update`.',
  })
  action?: string | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'Returns only events at or after this time.',
  })
  occurredFrom?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Returns only events before this time.' })
  occurredBefore?: string | null;
}

const events = projectionOf(AuditEvent, 'e', {
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

function branchOf(organizationId: string, filters: AuditFilters): Branch {
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
          projection: events,
          branches: [branchOf(id, filters)],
          order: newestFirst,
        };
        return readPage<Stored>(ctx, info, list, filters);
      }),
    ),
  ).load(organizationId);

@Resolver(() => Organization)
export class OrganizationAuditResolver {
  /**
   * Events contain the values of all record types, so the app needs the read scope of every type.
   */
  @FieldResolver(() => AuditEventConnection, {
    description: 'The audit log of the organization, newest first. Requires the `admin` role.',
  })
  @Scope(...apiScopes.filter((scope) => scope.endsWith(':read')))
  auditEvents(
    @Root() { id }: { id: string },
    @Args(() => AuditFilters) filters: AuditFilters,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
    @Info() info: GraphQLResolveInfo,
  ) {
    return listEvents(ctx, info, caller.administered(id).organizationId, filters);
  }
}

@Resolver(() => AuditEvent)
export class AuditEventResolver {
  @FieldResolver(() => [PropertyChange], {
    description:
      'The changed properties with their values before and after; for a new subject, all its initial values. Never contains a secret.',
  })
  changes(@Root() { changes }: Pick<AuditEvent, 'changes'>): PropertyChange[] {
    return changedProperties(changes);
  }
}
