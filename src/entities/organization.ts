import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { enumOf } from '../scalars/enum-of.js';
import { DateTime, Slug, UUID } from '../scalars/scalars.js';
import { Node } from './node.js';

export const organizationStatuses = ['active', 'suspended'] as const;
export type OrganizationStatus = (typeof organizationStatuses)[number];
export const OrganizationStatus = enumOf(
  'OrganizationStatus',
  'The status of an organization.',
  organizationStatuses,
  {
    active: 'The organization is in use.',
    suspended: 'Suspended by the operator: the organization grants no access.',
  },
);

/** A tenant. A publisher owns the shared (`standard`) definitions. */
@Entity({ tableName: 'organizations' })
@ObjectType({
  implements: Node,
  description: 'A company that keeps the records of its members. Each organization is a tenant.',
  simpleResolvers: true,
})
export class Organization {
  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the organization.' })
  id!: string;

  @Property({ type: 'text' })
  @Field({ description: 'The name.' })
  name!: string;

  @Property({ type: 'text' })
  @Field(() => Slug, { description: 'The slug, unique among all organizations.' })
  slug!: string;

  @Property({ type: 'text' })
  @Field(() => OrganizationStatus, {
    description: 'The status of the organization: `active` or `suspended`.',
  })
  status!: OrganizationStatus;

  @Property({ type: 'boolean' })
  isPublisher!: boolean;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, { description: 'The time at which the organization was created.' })
  createdAt!: string;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, {
    description: 'The time of the last change of the organization itself. Serves as its version.',
  })
  updatedAt!: string;
}

/** The latest `updated_at` assigned in an organization; see database/clock.ts. */
@Entity({ tableName: 'organization_clocks' })
export class OrganizationClock {
  @PrimaryKey({ type: 'uuid' }) organizationId!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) tickedAt!: string;
}
