import { Field, ObjectType, Query, Resolver } from 'type-graphql';
import { type Access, approvedScopes, type Principal } from '../auth/policy.js';
import { Slug, UUID } from '../scalars/scalars.js';
import { Caller, Scope } from './access.js';
import { OfMemberships } from './cost/plan.js';

@ObjectType({ description: 'The user that the access token identifies.', simpleResolvers: true })
export class Me {
  @Field(() => UUID, { description: 'The id of the user.' })
  id!: string;

  @Field({ description: 'The e-mail address with which the user signs in.' })
  email!: string;

  @Field({ description: 'The display name.' })
  displayName!: string;
}

@ObjectType({ description: 'The app that the access token was issued to.', simpleResolvers: true })
export class CallingApp {
  @Field({ description: 'The OAuth client id.' })
  clientId!: string;

  @Field({ description: 'The name of the app.' })
  name!: string;
}

@ObjectType({
  description: "An organization of the caller, with the app's permissions in it.",
  simpleResolvers: true,
})
export class ReachableOrganization {
  @Field(() => UUID, { description: 'The id of the organization.' })
  id!: string;

  @Field(() => Slug, { description: 'The slug.' })
  slug!: string;

  @Field({ description: 'The name.' })
  name!: string;

  @Field(() => UUID, { description: "The id of the caller's membership in the organization." })
  organizationMemberId!: string;

  @Field({ description: "The caller's role in the organization." })
  role!: string;

  @Field({ description: "Whether this is the organization of the caller's primary membership." })
  isPrimary!: boolean;

  @Field(() => [String], {
    description: 'The API scopes that the app can currently use in the organization.',
  })
  approvedScopes!: readonly string[];

  @Field({
    description:
      'Whether an API scope of the app still requires approval by an admin of the organization.',
  })
  approvalRequired!: boolean;
}

@ObjectType({
  description: 'The user, app and permissions of the access token.',
  simpleResolvers: true,
})
export class Identity {
  @Field(() => Me, { description: 'The user.' })
  user!: Me;

  @Field(() => CallingApp, { description: 'The app.' })
  app!: CallingApp;

  @Field(() => [String], { description: 'The API scopes that the app is registered for.' })
  apiScopes!: readonly string[];

  @Field(() => [String], { description: 'The OpenID Connect scopes of the access token.' })
  scopes!: readonly string[];

  @OfMemberships()
  @Field(() => [ReachableOrganization], {
    description: 'The organizations of the caller, the primary one first.',
  })
  organizations!: ReachableOrganization[];
}

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
