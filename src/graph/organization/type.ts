import { Field, ObjectType } from 'type-graphql';
import { connectionOf } from '../connection.js';
import { OrganizationStatus } from '../enums.js';
import { DateTime, Slug, UUID } from '../scalars.js';

@ObjectType({ description: 'A tenant: a company that keeps records of its members.', simpleResolvers: true })
export class Organization {
  @Field(() => UUID, { description: 'The id of the organization.' })
  id!: string;

  @Field({ description: 'The name.' })
  name!: string;

  @Field(() => Slug, { description: 'The short name, unique among all organizations.' })
  slug!: string;

  @Field(() => OrganizationStatus, { description: 'Whether the organization is in use.' })
  status!: 'active' | 'suspended';

  @Field(() => DateTime, { description: 'When the organization was created.' })
  createdAt!: string;

  @Field(() => DateTime, { description: 'When the organization itself last changed.' })
  updatedAt!: string;
}

export const OrganizationConnection = connectionOf(Organization, 'Organization');
