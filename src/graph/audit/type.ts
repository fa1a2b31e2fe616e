import { ArgsType, Field, ObjectType } from 'type-graphql';
import { connectionOf, PageArgs } from '../connection.js';
import { DateTime, Name, Text, UUID } from '../scalars.js';

@ObjectType({
  description: 'Who did what, when, through which app: written with the change itself, and never changed.',
  simpleResolvers: true,
})
export class AuditEvent {
  @Field(() => UUID, { description: 'The id of the event.' })
  id!: string;

  @Field(() => DateTime, { description: 'When it happened; for a record of the organization, what became its `updatedAt`.' })
  occurredAt!: string;

  @Field({ description: 'What was done: `create`, `update`, `delete`, `approve`, `revoke_approval`, `create_link`. More may come.' })
  action!: string;

  @Field({
    description:
      'What it was done to: `Organization`, `OrganizationMember`, `MemberJobRole`, `Certification`, `CertificationType`, `Qualification`, `QualificationRequirement`, `JobRole`, `JobRoleQualification`, `App`, `User`. More may come.',
  })
  subjectType!: string;

  @Field({ description: 'The id of what it was done to; of what has no id of its own, the two ids that make it, with a slash between.' })
  subjectId!: string;

  @Field(() => UUID, { nullable: true, description: 'The user who did it; null for the operator.' })
  userId!: string | null;

  @Field(() => String, { nullable: true, description: 'The name of that user.' })
  userDisplayName!: string | null;

  @Field(() => UUID, { nullable: true, description: 'The app through which it came; null for the portal and the operator.' })
  appId!: string | null;

  @Field(() => String, { nullable: true, description: 'The name of that app; null when the app was deleted since.' })
  appName!: string | null;

  @Field(() => String, { nullable: true, description: 'The `X-Request-Id` of the request that did it; null for the operator.' })
  requestId!: string | null;
}

export const AuditEventConnection = connectionOf(AuditEvent, 'AuditEvent');

@ArgsType()
export class AuditFilters extends PageArgs {
  @Field(() => Name, { nullable: true, description: 'Only events about this kind of subject: `Certification`.' })
  subjectType?: string | null;

  @Field(() => Text, { nullable: true, description: 'Only events about the subject with this id.' })
  subjectId?: string | null;

  @Field(() => UUID, { nullable: true, description: 'Only what this user did.' })
  userId?: string | null;

  @Field(() => UUID, { nullable: true, description: 'Only what came through this app.' })
  appId?: string | null;

  @Field(() => Name, { nullable: true, description: 'Only this action: `update`.' })
  action?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Only events at this instant or later.' })
  occurredFrom?: string | null;

  @Field(() => DateTime, { nullable: true, description: 'Only events before this instant.' })
  occurredBefore?: string | null;
}
