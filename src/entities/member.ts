import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { enumOf } from '../scalars/enum-of.js';
import { DateTime, UUID } from '../scalars/scalars.js';
import { Node } from './node.js';

export const memberStatuses = ['active', 'invited', 'suspended'] as const;
export type MemberStatus = (typeof memberStatuses)[number];
export const MemberStatus = enumOf('MemberStatus', 'The status of a membership.', memberStatuses, {
  active: 'The person accepted the invitation and can act in the organization.',
  invited: 'The person has not accepted the invitation. The membership grants no access.',
  suspended: 'The membership grants no access.',
});

/**
 * A membership before the person accepts it. `userId` is a placeholder: the id of the membership.
 */
export const invited = (id: string) => ({ userId: id, status: 'invited' }) as const;

/** The membership of a person in an organization, with the person's data in that organization. */
@Entity({ tableName: 'organization_members' })
@ObjectType({
  implements: Node,
  description: 'The membership of a person in an organization.',
  simpleResolvers: true,
})
export class OrganizationMember {
  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the organization.' })
  organizationId!: string;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the membership.' })
  id!: string;

  /** The user who accepted the membership, or the placeholder of {@link invited}. */
  @Property({ type: 'uuid' })
  @Field(() => UUID, {
    description:
      'The id of the user. Until the person accepts the invitation, it is the id of the membership.',
  })
  userId!: string;

  @Property({ type: 'text' })
  @Field({ description: 'The e-mail address, unique in the organization.' })
  email!: string;

  @Property({ type: 'text' })
  @Field({ description: 'The display name.' })
  displayName!: string;

  @Property({ type: 'text' })
  @Field({ description: 'The first name; empty text when unknown.' })
  firstName!: string;

  @Property({ type: 'text' })
  @Field({ description: 'The last name; empty text when unknown.' })
  lastName!: string;

  @Property({ type: 'text' })
  @Field({
    description:
      'The role. `admin` and `manager` can access all records of the organization; members with any other role only their own.',
  })
  role!: string;

  @Property({ type: 'text' })
  @Field(() => MemberStatus, {
    description:
      'The status of the membership. It is `invited` until the person accepts the invitation.',
  })
  status!: MemberStatus;

  @Property({ type: 'boolean' })
  @Field({
    description:
      'Whether this is the primary membership of the person. The first accepted membership is ' +
      'primary; afterwards only the person can change it.',
  })
  isPrimary!: boolean;

  @Property({ type: 'text' })
  @Field({
    description: 'The id of the member in an external system; empty text when there is none.',
  })
  externalId!: string;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, { description: 'The time at which the membership was created.' })
  createdAt!: string;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, {
    description:
      'The time of the last change, unique within the organization. Serves as the version of the membership.',
  })
  updatedAt!: string;
}

/** The assignment of a job role to a member. Its audit subject is the name of the class. */
@Entity({ tableName: 'member_job_roles' })
@ObjectType('JobRoleAssignment', {
  description: 'The assignment of a job role to a member.',
  simpleResolvers: true,
})
export class MemberJobRole {
  @PrimaryKey({ type: 'uuid' })
  organizationId!: string;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the member.' })
  organizationMemberId!: string;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the job role.' })
  jobRoleId!: string;

  @Property({ type: 'boolean' })
  @Field({
    description: 'Whether this is the main job role of the member. A member has at most one.',
  })
  isPrimary!: boolean;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, { description: 'The time at which the job role was assigned.' })
  assignedAt!: string;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, { description: 'The time at which the assignment was created.' })
  createdAt!: string;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, { description: 'The time of the last change of the assignment.' })
  updatedAt!: string;
}
