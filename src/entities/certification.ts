import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { enumOf } from '../scalars/enum-of.js';
import { DateScalar, DateTime, Slug, UUID } from '../scalars/scalars.js';
import { DefinitionStatus } from './definition.js';
import { Node } from './node.js';

export const lifecycleStatuses = ['active', 'revoked', 'archived'] as const;
export type LifecycleStatus = (typeof lifecycleStatuses)[number];
export const LifecycleStatus = enumOf(
  'LifecycleStatus',
  'The lifecycle state of a certification record.',
  lifecycleStatuses,
  {
    active: 'The record is in force.',
    revoked: 'The certification was revoked. This cannot be undone.',
    archived:
      'The record is archived and does not count; it can be restored unless it was revoked before.',
  },
);

export const verificationStatuses = ['unverified', 'pending', 'verified', 'failed'] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];
export const VerificationStatus = enumOf(
  'VerificationStatus',
  'The outcome of verifying a certification record.',
  verificationStatuses,
  {
    unverified:
      'The record has not been verified since it was created or its certificate data changed.',
    pending: 'Verification was requested and has no outcome yet.',
    verified: 'The record was verified.',
    failed: 'Verification failed: the record could not be confirmed.',
  },
);

export const validityStatuses = ['valid', 'expiring', 'expired', 'unknown'] as const;
export type ValidityStatus = (typeof validityStatuses)[number];
export const ValidityStatus = enumOf(
  'ValidityStatus',
  'The validity of a certification on a day (UTC), derived from its dates only.',
  validityStatuses,
  {
    valid: 'The certification is valid.',
    expiring:
      'The certification is valid and expires within the configured window (30 days by default).',
    expired: 'Its last day is past.',
    unknown:
      'The dates do not determine validity: there is no last day, and no day of issue up to that day.',
  },
);

export const sources = ['manual', 'import', 'api', 'self-reported'] as const;
export type CertificationSource = (typeof sources)[number];
export const CertificationSource = enumOf(
  'CertificationSource',
  'How a certification record was created.',
  sources,
  {
    manual: 'Entered by an admin or a manager.',
    import: 'Imported from a file.',
    api: 'Created by an integration through the API.',
    'self-reported': 'Entered by the holder. The record counts only when it is verified.',
  },
);

@ObjectType({
  description:
    'The main properties of a certification type, as embedded in a certification record.',
  simpleResolvers: true,
})
export class CertificationTypeSummary {
  @Field(() => UUID, { description: 'The id of the certification type.' })
  id!: string;

  @Field(() => Slug, { description: 'The slug, unique in the owning organization.' })
  slug!: string;

  @Field({ description: 'The title.' })
  title!: string;

  @Field(() => DefinitionStatus, { description: 'The status of the type: `active` or `archived`.' })
  status!: DefinitionStatus;
}

/** A certification that a member holds. */
@Entity({ tableName: 'certifications' })
@ObjectType({
  implements: Node,
  description: 'A certification that a member holds.',
  simpleResolvers: true,
})
export class Certification {
  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the organization that owns the record.' })
  organizationId!: string;

  @PrimaryKey({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the record.' })
  id!: string;

  @Property({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the member who holds the certification.' })
  organizationMemberId!: string;

  @Property({ type: 'uuid', nullable: true })
  @Field(() => UUID, {
    nullable: true,
    description: "The id of the member's user; null when the record has none.",
  })
  userId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The id of the record in an external system; null when there is none.',
  })
  externalId!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The external system of `externalId`; null when there is none.',
  })
  externalSource!: string | null;

  @Property({ type: 'uuid' })
  @Field(() => UUID, { description: 'The id of the certification type.' })
  certificationTypeId!: string;

  @Property({ type: 'text' })
  @Field(() => LifecycleStatus, { description: 'The lifecycle state of the record.' })
  lifecycleStatus!: LifecycleStatus;

  @Property({ type: 'text' })
  @Field(() => CertificationSource, { description: 'How the record was created.' })
  source!: CertificationSource;

  @Property({ type: 'string', columnType: 'date', nullable: true })
  @Field(() => DateScalar, { nullable: true, description: 'The day of issue; null when unknown.' })
  issuedOn!: string | null;

  @Property({ type: 'string', columnType: 'date', nullable: true })
  @Field(() => DateScalar, {
    nullable: true,
    description: 'The last day on which the certification is valid; null when it has none.',
  })
  expiresOn!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The name of the issuer; null when unknown.',
  })
  issuerName!: string | null;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'The serial number on the certificate; null when there is none.',
  })
  serialNumber!: string | null;

  @Property({ type: 'text' })
  @Field(() => VerificationStatus, { description: 'The outcome of verifying the record.' })
  verificationStatus!: VerificationStatus;

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description:
      'The method of the last verification, such as `document-review`; null when there is none or an edit reset it.',
  })
  verificationMethod!: string | null;

  @Property({ type: 'string', columnType: 'timestamptz', nullable: true })
  @Field(() => DateTime, {
    nullable: true,
    description: 'The time of the last verification; null when there is none or an edit reset it.',
  })
  lastVerifiedAt!: string | null;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, { description: 'The time at which the record was created.' })
  createdAt!: string;

  @Property({ type: 'string', columnType: 'timestamptz' })
  @Field(() => DateTime, {
    description:
      'The time of the last change, unique within the organization. Serves as the version of the record.',
  })
  updatedAt!: string;

  /** Joined when an operation selects it. */
  @Field(() => CertificationTypeSummary, { description: 'The certification type of the record.' })
  certificationType?: CertificationTypeSummary;
}
