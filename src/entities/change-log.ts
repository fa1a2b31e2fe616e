import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { DateTime, UUID } from '../scalars/scalars.js';

/** The stored response to a request with an Idempotency-Key. */
@Entity({ tableName: 'idempotency_records' })
export class IdempotencyRecord {
  @PrimaryKey({ type: 'uuid' }) appId!: string;
  @PrimaryKey({ type: 'uuid' }) userId!: string;
  @PrimaryKey({ type: 'text' }) key!: string;
  @Property({ type: 'text' }) fingerprint!: string;
  @Property({ type: 'uuid', nullable: true }) organizationId!: string | null;
  @Property({ type: 'integer', nullable: true }) status!: number | null;
  @Property({ type: 'json', columnType: 'json', nullable: true }) headers!: Record<
    string,
    string
  > | null;
  @Property({ type: 'text', nullable: true }) body!: string | null;
  @Property({ type: 'string', columnType: 'timestamptz' }) createdAt!: string;
  @Property({ type: 'string', columnType: 'timestamptz' }) expiresAt!: string;
}

/**
 * Subjects whose events have the wall clock's time. The events of all others are stamped by the
 * version clock of their organization. The index `audit_events_stamps` repeats this list.
 */
export const unstampedSubjects = ['App', 'Invitation', 'SigningKey', 'User'] as const;

/** An audit event. Written in the transaction of the change; immutable. */
@Entity({ tableName: 'audit_events' })
@ObjectType({
  description:
    'One entry of the audit log: who did what, when and through which app. Written in the transaction of the change and immutable.',
  simpleResolvers: true,
})
export class AuditEvent {
  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the event.' })
  id!: string;

  @Property({ type: 'uuid', nullable: true })
  organizationId!: string | null;

  @Property({ type: 'uuid', nullable: true })
  @Field(() => UUID, {
    nullable: true,
    description: 'The id of the user who acted; null for an operator command.',
  })
  userId!: string | null;

  @Property({ type: 'uuid', nullable: true })
  @Field(() => UUID, {
    nullable: true,
    description:
      'The id of the app that the user acted through; null for the portal and operator commands.',
  })
  appId!: string | null;

  @Property({ type: 'text' })
  @Field({
    description:
      'The action: `create`, `update`, `delete`, `approve`, `revoke_approval` or `create_link`. Later versions may add values.',
  })
  action!: string;

  @Property({ type: 'text' })
  @Field({
    description:
      'The type of the subject: `Organization`, `OrganizationMember`, `MemberJobRole`, ' +
      '`Certification`, `CertificationType`, `Qualification`, `QualificationRequirement`, ' +
      '`JobRole`, `JobRoleQualification`, `App`, `User` or `Invitation` (identified by the ' +
      'member id). Later versions may add values.',
  })
  subjectType!: string;

  @Property({ type: 'text' })
  @Field({
    description:
      'The id of the subject. A subject without an id of its own has the two ids of its key, separated by a slash.',
  })
  subjectId!: string;

  /** Property → [before, after]. Clients receive `changedProperties` of it. */
  @Property({ type: 'json', columnType: 'jsonb' })
  changes!: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The `X-Request-Id` of the request; null for an operator command.',
  })
  requestId!: string | null;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, {
    description:
      'The time of the event. For a record of the organization it equals the `updatedAt` that the change set.',
  })
  occurredAt!: string;

  /** Read from the user when an operation selects it. */
  @Field(() => String, {
    nullable: true,
    description:
      'The display name of the user, or the e-mail address without one; null when there is no user.',
  })
  userDisplayName?: string | null;

  /** Read from the app when an operation selects it. */
  @Field(() => String, {
    nullable: true,
    description: 'The current name of the app; null when there is no app or it was deleted.',
  })
  appName?: string | null;
}
