import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import { apiScopes } from '../../auth/scopes.js';
import type { Context } from '../../context.js';
import { changedProperties } from '../../entities/difference.js';
import { AuditEvent } from '../../entities/journal.js';
import { Organization } from '../../entities/organization.js';
import { Caller, Scope } from '../access.js';
import { PropertyChange } from '../history/type.js';
import { listEvents } from './reads.js';
import { AuditEventConnection, AuditFilters } from './type.js';

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
