import { Field, InputType, ObjectType } from 'type-graphql';
import type { LifecycleStatus as Lifecycle, Source, VerificationStatus as Verification } from '../../entities/certification.js';
import type { DefinitionStatus as Status } from '../../entities/definition.js';
import { connectionOf } from '../connection.js';
import { CertificationSource, DefinitionStatus, LifecycleStatus, VerificationStatus } from '../enums.js';
import { DateScalar, DateTime, ExternalId, Slug, Text, UUID } from '../scalars.js';

@ObjectType({ description: 'What a certification record shows of its type.', simpleResolvers: true })
export class CertificationTypeSummary {
  @Field(() => UUID, { description: 'The id of the certification type.' })
  id!: string;

  @Field(() => Slug, { description: 'The short name, unique in the owning organization.' })
  slug!: string;

  @Field({ description: 'The title.' })
  title!: string;

  @Field(() => DefinitionStatus, { description: 'Whether the type is in use.' })
  status!: Status;
}

@ObjectType('Certification', { description: 'A record that a member holds a certification.', simpleResolvers: true })
export class CertificationRecord {
  @Field(() => UUID, { description: 'The id of the record.' })
  id!: string;

  @Field(() => UUID, { description: 'The organization that keeps the record.' })
  organizationId!: string;

  @Field(() => UUID, { description: 'The member who holds the certification.' })
  organizationMemberId!: string;

  @Field(() => UUID, { nullable: true, description: 'The user behind the member.' })
  userId!: string | null;

  @Field(() => String, { nullable: true, description: 'The id of the record in an outside system.' })
  externalId!: string | null;

  @Field(() => String, { nullable: true, description: 'The outside system that `externalId` belongs to.' })
  externalSource!: string | null;

  @Field(() => UUID, { description: 'The kind of certification.' })
  certificationTypeId!: string;

  @Field(() => LifecycleStatus, { description: 'Where the record is in its life.' })
  lifecycleStatus!: Lifecycle;

  @Field(() => CertificationSource, { description: 'How the record came in.' })
  source!: Source;

  @Field(() => DateScalar, { nullable: true, description: 'The day of issue.' })
  issuedOn!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'The last day on which the certification holds.' })
  expiresOn!: string | null;

  @Field(() => String, { nullable: true, description: 'Who issued the certification.' })
  issuerName!: string | null;

  @Field(() => String, { nullable: true, description: 'The serial number on the certificate.' })
  serialNumber!: string | null;

  @Field(() => VerificationStatus, { description: 'What checking the record found.' })
  verificationStatus!: Verification;

  @Field(() => String, { nullable: true, description: 'How the record was checked, once it was.' })
  verificationMethod!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When the record was last checked.' })
  lastVerifiedAt!: string | null;

  @Field(() => DateTime, { description: 'When the record was created.' })
  createdAt!: string;

  @Field(() => DateTime, { description: 'When the record last changed; unique within the organization.' })
  updatedAt!: string;

  @Field(() => CertificationTypeSummary, { description: 'The kind of certification, in short.' })
  certificationType!: CertificationTypeSummary;
}

export const CertificationConnection = connectionOf(CertificationRecord, 'Certification', true);

@InputType({ description: 'The properties of a certification record that an edit may change. What is left out stays; null clears.' })
export class CertificationUpdate {
  @Field(() => ExternalId, { nullable: true, description: 'The id of the record in an outside system; unique per outside system.' })
  externalId?: string | null;

  @Field(() => ExternalId, { nullable: true, description: 'The outside system that `externalId` belongs to.' })
  externalSource?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'The day of issue.' })
  issuedOn?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'The last day on which the certification holds; not before `issuedOn`.' })
  expiresOn?: string | null;

  @Field(() => Text, { nullable: true, description: 'Who issued the certification.' })
  issuerName?: string | null;

  @Field(() => Text, { nullable: true, description: 'The serial number on the certificate.' })
  serialNumber?: string | null;
}

@InputType({ description: 'A new certification record.' })
export class CertificationCreate extends CertificationUpdate {
  @Field(() => UUID, { nullable: true, description: "The member who holds the certification; the caller's own membership when left out." })
  organizationMemberId?: string | null;

  @Field(() => UUID, { description: 'The kind of certification: an active type that the organization can use.' })
  certificationTypeId!: string;

  @Field(() => CertificationSource, {
    nullable: true,
    description: 'How the record came in. Someone who manages nothing can only self-report.',
  })
  source?: Source | null;
}
