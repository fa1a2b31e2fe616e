import { Field, InputType } from 'type-graphql';
import { Email, ExternalId, Name, Text } from '../scalars.js';

@InputType({ description: 'The properties of a member that an edit may change. What is left out stays.' })
export class OrganizationMemberUpdate {
  @Field(() => Email, { nullable: true, description: 'The e-mail address, unique in the organization. The one to sign in with stays.' })
  email?: string | null;

  @Field(() => Name, { nullable: true, description: 'The name to show.' })
  displayName?: string | null;

  @Field(() => Text, { nullable: true, description: 'The first name; null empties it.' })
  firstName?: string | null;

  @Field(() => Text, { nullable: true, description: 'The last name; null empties it.' })
  lastName?: string | null;

  @Field(() => Name, {
    nullable: true,
    description: 'The role. Only an admin makes or unmakes an `admin`, and one active admin always remains.',
  })
  role?: string | null;

  @Field({ nullable: true, description: "True makes this the user's main organization, in place of the one before." })
  isPrimary?: boolean;

  @Field(() => ExternalId, {
    nullable: true,
    description: 'The id of the member in an outside system, unique in the organization; null empties it.',
  })
  externalId?: string | null;
}
