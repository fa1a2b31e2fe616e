import { Field, InputType, ObjectType } from 'type-graphql';
import type { MemberStatus as Status } from '../../entities/member.js';
import { connectionOf } from '../connection.js';
import { MemberStatus } from '../enums.js';
import { DateTime, Email, ExternalId, Name, Text, UUID } from '../scalars.js';

@ObjectType('OrganizationMember', { description: "A person's membership of an organization.", simpleResolvers: true })
export class Member {
  @Field(() => UUID, { description: 'The id of the membership.' })
  id!: string;

  @Field(() => UUID, { description: 'The organization.' })
  organizationId!: string;

  @Field(() => UUID, { description: 'The user behind the membership.' })
  userId!: string;

  @Field({ description: 'The e-mail address, unique in the organization.' })
  email!: string;

  @Field({ description: 'The name to show.' })
  displayName!: string;

  @Field({ description: 'The first name; may be empty.' })
  firstName!: string;

  @Field({ description: 'The last name; may be empty.' })
  lastName!: string;

  @Field({ description: 'The role. `admin` and `manager` reach the whole organization; any other, only what is their own.' })
  role!: string;

  @Field(() => MemberStatus, { description: 'The state of the membership.' })
  status!: Status;

  @Field({ description: "Whether this is the user's main organization." })
  isPrimary!: boolean;

  @Field({ description: 'The id of the member in an outside system; may be empty.' })
  externalId!: string;

  @Field(() => DateTime, { description: 'When the membership was created.' })
  createdAt!: string;

  @Field(() => DateTime, { description: 'When the membership last changed; unique within the organization.' })
  updatedAt!: string;
}

export const MemberConnection = connectionOf(Member, 'OrganizationMember', true);

@InputType({ description: 'A new member. A person who has no user yet is invited.' })
export class OrganizationMemberCreate {
  @Field(() => Email, { description: 'The e-mail address, unique in the organization.' })
  email!: string;

  @Field(() => Text, { nullable: true, description: 'The name to show; made from the other names or the address when left out.' })
  displayName?: string | null;

  @Field(() => Text, { nullable: true, description: 'The first name.' })
  firstName?: string | null;

  @Field(() => Text, { nullable: true, description: 'The last name.' })
  lastName?: string | null;

  @Field(() => Name, { nullable: true, description: 'The role; `member` when left out. Only an admin can make an `admin`.' })
  role?: string | null;

  @Field({ nullable: true, description: "Whether this becomes the user's main organization. A user's first membership always does." })
  isPrimary?: boolean;

  @Field(() => ExternalId, { nullable: true, description: 'The id of the member in an outside system, unique in the organization.' })
  externalId?: string | null;
}
