import { ArgsType, createUnionType, Field, ObjectType } from 'type-graphql';
import { Certification } from '../../entities/certification.js';
import type { ChangeKind as Kind, ResourceType as Resource } from '../../entities/change-feed.js';
import {
  CertificationType,
  JobRole,
  Qualification,
  QualificationRequirement,
} from '../../entities/definition.js';
import { MemberJobRole, OrganizationMember } from '../../entities/member.js';
import { Organization } from '../../entities/organization.js';
import { DateTime, UUID } from '../../scalars/scalars.js';
import { ChangeKind, ResourceType } from '../enums.js';
import { connectionOf, PageArgs } from '../reads/connection.js';

/** A record with its type. */
export interface ChangedRow {
  readonly resourceType: Resource;
}

export const ChangedRecord = createUnionType({
  name: 'ChangedRecord',
  description: 'A record of any type that an organization owns.',
  types: () =>
    [
      Certification,
      OrganizationMember,
      CertificationType,
      Qualification,
      QualificationRequirement,
      JobRole,
      MemberJobRole,
      Organization,
    ] as const,
});

@ObjectType({ description: 'The creation, update or deletion of a record.', simpleResolvers: true })
export class Change {
  @Field(() => ChangeKind, { description: 'The kind of change.' })
  kind!: Kind;

  @Field(() => ResourceType, { description: 'The type of the record.' })
  resourceType!: Resource;

  @Field({
    description:
      'The id of the record. For a requirement, the ids of the qualification and the ' +
      'certification type, separated by a slash; for a job role assignment, those of the member ' +
      'and the job role.',
  })
  resourceId!: string;

  @Field(() => UUID, { description: 'The organization that owns the record.' })
  organizationId!: string;

  @Field(() => DateTime, {
    description:
      'The time of the change: the `updatedAt` that it set. Unique within the organization and in commit order.',
  })
  changedAt!: string;

  @Field(() => [String], { description: 'The names of the properties that the change set.' })
  changedProperties!: string[];
}

export const ChangeConnection = connectionOf(Change, 'Change');

@ArgsType()
export class ChangesArgs extends PageArgs {
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Returns only changes after this time. Without this argument and `after`, returns only changes from now on.',
  })
  changedAfter?: string | null;

  @Field(() => [ResourceType], {
    nullable: true,
    description:
      'Returns only changes of these record types. Defaults to all. Each type requires its read scope.',
  })
  resourceTypes?: Resource[] | null;
}
