import { Field, ObjectType } from 'type-graphql';
import { Slug, UUID } from '../scalars.js';

@ObjectType({ description: 'The person whom the token identifies.', simpleResolvers: true })
export class Me {
  @Field(() => UUID, { description: 'The id of the user.' })
  id!: string;

  @Field({ description: 'The e-mail address to sign in with.' })
  email!: string;

  @Field({ description: 'The name to show.' })
  displayName!: string;
}

@ObjectType({ description: 'The app that the token was issued to.', simpleResolvers: true })
export class CallingApp {
  @Field({ description: 'The OAuth client id.' })
  clientId!: string;

  @Field({ description: 'The name of the app.' })
  name!: string;
}

@ObjectType({ description: 'An organization of the caller, and what the app may do there.', simpleResolvers: true })
export class ReachableOrganization {
  @Field(() => UUID, { description: 'The id of the organization.' })
  id!: string;

  @Field(() => Slug, { description: 'The short name.' })
  slug!: string;

  @Field({ description: 'The name.' })
  name!: string;

  @Field(() => UUID, { description: "The caller's membership there." })
  organizationMemberId!: string;

  @Field({ description: "The caller's role there." })
  role!: string;

  @Field({ description: "Whether this is the caller's main organization." })
  isPrimary!: boolean;

  @Field(() => [String], { description: 'The API scopes that the app can use there now.' })
  approvedScopes!: readonly string[];

  @Field({ description: 'Whether some API scope of the app still waits for an admin there.' })
  approvalRequired!: boolean;
}

@ObjectType({ description: 'What the token stands for: a person, an app, and what the two may do.', simpleResolvers: true })
export class Identity {
  @Field(() => Me, { description: 'The person.' })
  user!: Me;

  @Field(() => CallingApp, { description: 'The app.' })
  app!: CallingApp;

  @Field(() => [String], { description: 'The API scopes of the app.' })
  apiScopes!: readonly string[];

  @Field(() => [String], { description: 'The identity scopes of the token.' })
  scopes!: readonly string[];

  @Field(() => [ReachableOrganization], { description: 'The organizations of the caller, the main one first.' })
  organizations!: ReachableOrganization[];
}
