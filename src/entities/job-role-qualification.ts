import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/** That a job role needs a qualification. `position` keeps the order in which the set was given. */
@Entity({ tableName: 'job_role_qualifications' })
export class JobRoleQualification {
  @PrimaryKey({ type: 'uuid' }) jobRoleId!: string;
  @PrimaryKey({ type: 'uuid' }) qualificationId!: string;
  @Property({ type: 'uuid' }) organizationId!: string;
  @Property({ type: 'integer' }) position!: number;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) updatedAt!: string;
}
