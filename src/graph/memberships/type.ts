import { Field, InputType } from 'type-graphql';
import { Email, ExternalId, Name, Text } from '../../scalars/scalars.js';
import { NotNull } from '../input/blank.js';

@InputType({
  description: 'The properties of a member to change. An omitted property keeps its value.',
})
export class OrganizationMemberUpdate {
  @NotNull()
  @Field(() => Email, {
    nullable: true,
    description:
      'The e-mail address, unique in the organization. The account of the person does not ' +
      'change. A sent invitation link becomes invalid.',
  })
  email?: string | null;

  @NotNull()
  @Field(() => Name, { nullable: true, description: 'The display name.' })
  displayName?: string | null;

  @Field(() => Text, { nullable: true, description: 'The first name. Null clears it.' })
  firstName?: string | null;

  @Field(() => Text, { nullable: true, description: 'The last name. Null clears it.' })
  lastName?: string | null;

  @NotNull()
  @Field(() => Name, {
    nullable: true,
    description:
      'The role. Only an admin can grant or remove the role `admin`. The last active admin cannot lose it.',
  })
  role?: string | null;

  @NotNull()
  @Field({
    nullable: true,
    description:
      'Whether this is the primary membership. True is ignored if the person has another ' +
      'primary membership: only the person can change it.',
  })
  isPrimary?: boolean;

  @Field(() => ExternalId, {
    nullable: true,
    description:
      'The id of the member in an external system, unique in the organization. Null clears it.',
  })
  externalId?: string | null;
}
