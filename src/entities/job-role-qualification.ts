import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** A qualification that a job role requires. `position` keeps the order of the set. */
@Entity({ tableName: 'job_role_qualifications' })
export class JobRoleQualification {
  @PrimaryKey({ type: 'uuid' }) jobRoleId!: string;
  @PrimaryKey({ type: 'uuid' }) qualificationId!: string;
  @Property({ type: 'uuid' }) organizationId!: string;
  @Property({ type: 'integer' }) position!: number;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) updatedAt!: string;
}
