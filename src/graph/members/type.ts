import { Field, InputType } from 'type-graphql';
import { OrganizationMember } from '../../entities/member.js';
import { Email, ExternalId, Name, Text } from '../../scalars/scalars.js';
import { NotNull } from '../input/blank.js';
import { connectionOf } from '../reads/connection.js';

export const MemberConnection = connectionOf(OrganizationMember, 'OrganizationMember', true);

@InputType({
  description:
    'A new member. The membership is `invited` and grants no access until the person accepts it.',
})
export class OrganizationMemberCreate {
  @Field(() => Email, { description: 'The e-mail address, unique in the organization.' })
  email!: string;

  @Field(() => Text, {
    nullable: true,
    description:
      'The display name. Derived from the other names or the e-mail address when omitted.',
  })
  displayName?: string | null;

  @Field(() => Text, { nullable: true, description: 'The first name.' })
  firstName?: string | null;

  @Field(() => Text, { nullable: true, description: 'The last name.' })
  lastName?: string | null;

  @Field(() => Name, {
    nullable: true,
    description: 'The role. Defaults to `member`. Only an admin can grant the role `admin`.',
  })
  role?: string | null;

  @NotNull()
  @Field({
    nullable: true,
    description:
      'Whether this becomes the primary membership of the person when they accept. Ignored if they have one by then.',
  })
  isPrimary?: boolean;

  @Field(() => ExternalId, {
    nullable: true,
    description: 'The id of the member in an external system, unique in the organization.',
  })
  externalId?: string | null;
}
