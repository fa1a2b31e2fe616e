import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import { apiScopes } from '../../auth/scopes.js';
import type { Context } from '../../context.js';
import { changedProperties } from '../../entities/difference.js';
import { Caller, Scope } from '../access.js';
import { PropertyChange } from '../history/type.js';
import { Organization } from '../organization/type.js';
import { listEvents, type StoredEvent } from './reads.js';
import { AuditEvent, AuditEventConnection, AuditFilters } from './type.js';

@Resolver(() => Organization)
export class OrganizationAuditResolver {
  /** Events tell the values of every kind of record, so an app that may not read one kind may not read the audit either. */
  @FieldResolver(() => AuditEventConnection, {
    description: 'The audit of the organization, newest first: who changed what, from what to what. For admins.',
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
    description: 'What differs from before; of a new subject, all that it got. Never holds a secret.',
  })
  changes(@Root() { changes }: Pick<StoredEvent, 'changes'>): PropertyChange[] {
    return changedProperties(changes);
  }
}
