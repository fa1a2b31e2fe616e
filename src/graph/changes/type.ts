import { ArgsType, createUnionType, Field, ObjectType } from 'type-graphql';
import type { ChangeKind as Kind, ResourceType as Resource } from '../../entities/change.js';
import { JobRoleAssignment } from '../assignment/type.js';
import { CertificationRecord } from '../certification/type.js';
import { connectionOf, PageArgs } from '../connection.js';
import { CertificationType, JobRole, Qualification } from '../definition/type.js';
import { ChangeKind, ResourceType } from '../enums.js';
import { Member } from '../member/type.js';
import { Organization } from '../organization/type.js';
import { QualificationRequirement } from '../qualification/type.js';
import { DateTime, UUID } from '../scalars.js';

/** A record with what it is. */
export interface ChangedRow {
  readonly resourceType: Resource;
}

export const ChangedRecord = createUnionType({
  name: 'ChangedRecord',
  description: 'A record of any kind that an organization owns.',
  types: () =>
    [
      CertificationRecord,
      Member,
      CertificationType,
      Qualification,
      QualificationRequirement,
      JobRole,
      JobRoleAssignment,
      Organization,
    ] as const,
});

@ObjectType({ description: 'That a record was created, changed or deleted.', simpleResolvers: true })
export class Change {
  @Field(() => ChangeKind, { description: 'What happened.' })
  kind!: Kind;

  @Field(() => ResourceType, { description: 'What kind of record it is.' })
  resourceType!: Resource;

  @Field({
    description:
      'The id of the record. A requirement has none of its own, so it is qualification/certification type; of a job-role assignment, member/job role.',
  })
  resourceId!: string;

  @Field(() => UUID, { description: 'The organization that owns the record.' })
  organizationId!: string;

  @Field(() => DateTime, {
    description: 'When it happened: what became `updatedAt` of the record. Unique within the organization, in the order of commits.',
  })
  changedAt!: string;

  @Field(() => [String], { description: 'The properties that were set.' })
  changedProperties!: string[];
}

export const ChangeConnection = connectionOf(Change, 'Change');

@ArgsType()
export class ChangesArgs extends PageArgs {
  @Field(() => DateTime, {
    nullable: true,
    description: 'Only changes later than this instant. Without it and without `after`: from now on.',
  })
  changedAfter?: string | null;

  @Field(() => [ResourceType], {
    nullable: true,
    description: 'Only changes of these kinds of record; all when left out. Each needs the scope to read it.',
  })
  resourceTypes?: Resource[] | null;
}
