import { Field, InputType, ObjectType } from 'type-graphql';
import { DateTime, UUID } from '../scalars.js';

@ObjectType({ description: 'The assignment of a job role to a member.', simpleResolvers: true })
export class JobRoleAssignment {
  @Field(() => UUID, { description: 'The member.' })
  organizationMemberId!: string;

  @Field(() => UUID, { description: 'The job role.' })
  jobRoleId!: string;

  @Field({ description: "Whether this is the member's main role; at most one is." })
  isPrimary!: boolean;

  @Field(() => DateTime, { description: 'When the role was assigned.' })
  assignedAt!: string;

  @Field(() => DateTime, { description: 'When the assignment was created.' })
  createdAt!: string;

  @Field(() => DateTime, { description: 'When the assignment last changed.' })
  updatedAt!: string;
}

@InputType({ description: 'How a job role is assigned.' })
export class JobRoleAssign {
  @Field({ nullable: true, description: "Whether this becomes the member's main role; as it was, or false when new, if left out." })
  isPrimary?: boolean;
}
