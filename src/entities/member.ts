import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

export const memberStatuses = ['active', 'invited', 'suspended'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

/** A user's membership of an organization, with what that organization says of the person. */
@Entity({ tableName: 'organization_members' })
export class OrganizationMember {
  @PrimaryKey({ type: 'uuid' }) organizationId!: string;
  @PrimaryKey({ type: 'uuid' }) id!: string;
  @Property({ type: 'uuid' }) userId!: string;
  @Property({ type: 'text' }) email!: string;
  @Property({ type: 'text' }) displayName!: string;
  @Property({ type: 'text' }) firstName!: string;
  @Property({ type: 'text' }) lastName!: string;
  @Property({ type: 'text' }) role!: string;
  @Property({ type: 'text' }) status!: MemberStatus;
  @Property({ type: 'boolean' }) isPrimary!: boolean;
  @Property({ type: 'text' }) externalId!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) updatedAt!: string;
}

/** The assignment of a job role to a member. */
@Entity({ tableName: 'member_job_roles' })
export class MemberJobRole {
  @PrimaryKey({ type: 'uuid' }) organizationId!: string;
  @PrimaryKey({ type: 'uuid' }) organizationMemberId!: string;
  @PrimaryKey({ type: 'uuid' }) jobRoleId!: string;
  @Property({ type: 'boolean' }) isPrimary!: boolean;
  @Property({ type: 'string', columnType: 'timestamptz' }) assignedAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) updatedAt!: string;
}
