/**
 * The tables as MikroORM entities that are GraphQL types as well, as Type-GraphQL's own examples
 * have them.
 */
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { Ref } from '@mikro-orm/postgresql';
import { Field, InputType, ObjectType } from 'type-graphql';
import {
  CertificationSource,
  LifecycleStatus,
  ValidityStatus,
  VerificationStatus,
} from '../../src/entities/certification.js';
import { DefinitionStatus } from '../../src/entities/definition.js';
import { validityOn } from '../../src/rules/validity.js';
import { DateScalar, DateTime, UUID } from '../../src/scalars/scalars.js';

@ObjectType('CertificationType')
@Entity({ tableName: 'certification_types' })
export class TypeEntity {
  @Field(() => UUID) @PrimaryKey({ type: 'uuid' }) id!: string;
  @Field() @Property({ type: 'text' }) slug!: string;
  @Field() @Property({ type: 'text' }) title!: string;
  @Field(() => DefinitionStatus) @Property({ type: 'text' }) status!: string;
}

@ObjectType('Certification')
@Entity({ tableName: 'certifications' })
export class CertificationEntity {
  @Field(() => UUID) @PrimaryKey({ type: 'uuid' }) organizationId!: string;
  @Field(() => UUID) @PrimaryKey({ type: 'uuid' }) id!: string;
  @Field(() => UUID) @Property({ type: 'uuid' }) organizationMemberId!: string;
  @Field(() => UUID, { nullable: true }) @Property({ type: 'uuid', nullable: true }) userId!:
    | string
    | null;
  @Field(() => String, { nullable: true }) @Property({ type: 'text', nullable: true }) externalId:
    | string
    | null = null;
  @Field(() => String, { nullable: true })
  @Property({ type: 'text', nullable: true })
  externalSource: string | null = null;
  @ManyToOne({ entity: () => TypeEntity, fieldName: 'certification_type_id', ref: true })
  certificationTypeEntity!: Ref<TypeEntity>;
  @Field(() => LifecycleStatus) @Property({ type: 'text' }) lifecycleStatus: LifecycleStatus =
    'active';
  @Field(() => CertificationSource) @Property({ type: 'text' }) source!: CertificationSource;
  @Field(() => DateScalar, { nullable: true })
  @Property({ type: 'string', columnType: 'date', nullable: true })
  issuedOn!: string | null;
  @Field(() => DateScalar, { nullable: true })
  @Property({ type: 'string', columnType: 'date', nullable: true })
  expiresOn!: string | null;
  @Field(() => String, { nullable: true }) @Property({ type: 'text', nullable: true }) issuerName!:
    | string
    | null;
  @Field(() => String, { nullable: true }) @Property({ type: 'text', nullable: true }) serialNumber:
    | string
    | null = null;
  @Field(() => VerificationStatus)
  @Property({ type: 'text' })
  verificationStatus: VerificationStatus = 'unverified';
  @Field(() => String, { nullable: true })
  @Property({ type: 'text', nullable: true })
  verificationMethod: string | null = null;
  @Field(() => DateTime, { nullable: true })
  @Property({ type: 'string', columnType: 'timestamptz', nullable: true })
  lastVerifiedAt: string | null = null;
  @Field(() => DateTime)
  @Property({ type: 'string', columnType: 'timestamptz' })
  createdAt!: string;
  @Field(() => DateTime)
  @Property({ type: 'string', columnType: 'timestamptz' })
  updatedAt!: string;

  @Field(() => UUID)
  certificationTypeId(): string {
    return this.certificationTypeEntity.id;
  }

  @Field(() => TypeEntity)
  certificationType(): TypeEntity {
    return this.certificationTypeEntity.unwrap();
  }

  @Field(() => ValidityStatus)
  validityStatus(): ValidityStatus {
    return validityOn(new Date().toISOString().slice(0, 10), 30, this);
  }
}

@ObjectType('OrganizationMember')
@Entity({ tableName: 'organization_members' })
export class MemberEntity {
  @Field(() => UUID) @PrimaryKey({ type: 'uuid' }) organizationId!: string;
  @Field(() => UUID) @PrimaryKey({ type: 'uuid' }) id!: string;
  @Field(() => UUID) @Property({ type: 'uuid' }) userId!: string;
  @Field() @Property({ type: 'text' }) email!: string;
  @Field() @Property({ type: 'text' }) displayName!: string;
  @Field() @Property({ type: 'text' }) role!: string;
  @Field(() => DateTime)
  @Property({ type: 'string', columnType: 'timestamptz' })
  updatedAt!: string;
}

@InputType('CertificationCreate')
export class NewCertification {
  @Field(() => UUID) organizationMemberId!: string;
  @Field(() => UUID) certificationTypeId!: string;
  @Field(() => DateScalar, { nullable: true }) issuedOn?: string;
  @Field(() => DateScalar, { nullable: true }) expiresOn?: string;
  @Field(() => String, { nullable: true }) issuerName?: string;
}
