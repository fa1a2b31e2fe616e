import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A tenant. A publisher owns the shared (`standard`) definitions. */
@Entity({ tableName: 'organizations' })
export class Organization {
  @PrimaryKey({ type: 'uuid' }) id!: string;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'text' }) slug!: string;
  @Property({ type: 'text' }) status!: 'active' | 'suspended';
  @Property({ type: 'boolean' }) isPublisher!: boolean;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) updatedAt!: string;
}

/** The newest `updated_at` given out in an organization; see database/clock.ts. */
@Entity({ tableName: 'organization_clocks' })
export class OrganizationClock {
  @PrimaryKey({ type: 'uuid' }) organizationId!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) tickedAt!: string;
}
