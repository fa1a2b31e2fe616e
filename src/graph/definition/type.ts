import { Field, InputType, ObjectType } from 'type-graphql';
import type { DefinitionScope as Scope, DefinitionStatus as Status } from '../../entities/definition.js';
import { connectionOf } from '../connection.js';
import { DefinitionScope, DefinitionStatus } from '../enums.js';
import { DateTime, Description, Name, Slug, UUID } from '../scalars.js';

/** What certification types, qualifications and job roles share. */
@ObjectType({ simpleResolvers: true })
export abstract class Definition {
  @Field(() => UUID, { description: 'The id of the definition.' })
  id!: string;

  @Field(() => UUID, { description: 'The organization that owns the definition.' })
  organizationId!: string;

  @Field(() => Slug, { description: 'The short name, unique in the owning organization.' })
  slug!: string;

  @Field({ description: 'What it is; may be empty.' })
  description!: string;

  @Field(() => DefinitionScope, { description: 'Who can use it.' })
  scope!: Scope;

  @Field(() => DefinitionStatus, { description: 'Whether it is in use.' })
  status!: Status;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: string;

  @Field(() => DateTime, { description: 'When it last changed.' })
  updatedAt!: string;
}

@ObjectType({ description: 'A kind of certification.', simpleResolvers: true })
export class CertificationType extends Definition {
  @Field({ description: 'The title.' })
  title!: string;
}

@ObjectType({ description: 'What a member can be qualified for: a set of required certifications.', simpleResolvers: true })
export class Qualification extends Definition {
  @Field({ description: 'The name.' })
  name!: string;
}

@ObjectType({ description: 'A role that members have on site.', simpleResolvers: true })
export class JobRole extends Definition {
  @Field({ description: 'The name.' })
  name!: string;
}

export const CertificationTypeConnection = connectionOf(CertificationType, 'CertificationType');
export const QualificationConnection = connectionOf(Qualification, 'Qualification');
export const JobRoleConnection = connectionOf(JobRole, 'JobRole');

@InputType()
abstract class DefinitionCreate {
  @Field(() => Slug, {
    nullable: true,
    description: 'The short name, unique in the organization; made from the title or name when left out.',
  })
  slug?: string | null;

  @Field(() => Description, { nullable: true, description: 'What it is.' })
  description?: string | null;
}

@InputType({ description: 'A new kind of certification.' })
export class CertificationTypeCreate extends DefinitionCreate {
  @Field(() => Name, { description: 'The title.' })
  title!: string;
}

@InputType({ description: 'A new qualification.' })
export class QualificationCreate extends DefinitionCreate {
  @Field(() => Name, { description: 'The name.' })
  name!: string;
}

@InputType({ description: 'A new job role.' })
export class JobRoleCreate extends DefinitionCreate {
  @Field(() => Name, { description: 'The name.' })
  name!: string;
}

@InputType({ description: 'The properties of a kind of certification that an edit may change. What is left out stays.' })
export class CertificationTypeUpdate {
  @Field(() => Slug, { nullable: true, description: 'The short name, unique in the organization.' })
  slug?: string | null;

  @Field(() => Name, { nullable: true, description: 'The title.' })
  title?: string | null;

  @Field(() => Description, { nullable: true, description: 'What it is.' })
  description?: string | null;
}

@InputType()
abstract class NamedDefinitionUpdate {
  @Field(() => Slug, { nullable: true, description: 'The short name, unique in the organization.' })
  slug?: string | null;

  @Field(() => Name, { nullable: true, description: 'The name.' })
  name?: string | null;

  @Field(() => Description, { nullable: true, description: 'What it is.' })
  description?: string | null;
}

@InputType({ description: 'The properties of a qualification that an edit may change. What is left out stays.' })
export class QualificationUpdate extends NamedDefinitionUpdate {}

@InputType({ description: 'The properties of a job role that an edit may change. What is left out stays.' })
export class JobRoleUpdate extends NamedDefinitionUpdate {}
