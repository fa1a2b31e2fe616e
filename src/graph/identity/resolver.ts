import { Query, Resolver } from 'type-graphql';
import { type Access, approvedScopes, type Principal } from '../../auth/policy.js';
import { Caller, Scope } from '../access.js';
import { Identity } from './type.js';

@Resolver(() => Identity)
export class IdentityResolver {
  @Query(() => Identity, { description: 'Returns the current user, app and permissions.' })
  @Scope()
  me(@Caller() { principal }: Access): Identity {
    return toIdentity(principal);
  }
}

function toIdentity(principal: Principal): Identity {
  const { userId, email, displayName, clientId, appName, apiScopes, identityScopes, memberships } =
    principal;
  return {
    user: { id: userId, email, displayName },
    app: { clientId, name: appName },
    apiScopes,
    scopes: identityScopes,
    organizations: memberships.map((membership) => {
      const { organizationId, memberId, slug, name, role, isPrimary } = membership;
      const approved = approvedScopes(principal, membership);
      const approvalRequired = approved.length < apiScopes.length;
      return {
        id: organizationId,
        organizationMemberId: memberId,
        slug,
        name,
        role,
        isPrimary,
        approvedScopes: approved,
        approvalRequired,
      };
    }),
  };
}
