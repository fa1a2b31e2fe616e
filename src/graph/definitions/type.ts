import { Field, InputType } from 'type-graphql';
import { CertificationType, JobRole, Qualification } from '../../entities/definition.js';
import { Description, Name, Slug } from '../../scalars/scalars.js';
import { NotNull } from '../input/blank.js';
import { connectionOf } from '../reads/connection.js';

export const CertificationTypeConnection = connectionOf(CertificationType, 'CertificationType');
export const QualificationConnection = connectionOf(Qualification, 'Qualification');
export const JobRoleConnection = connectionOf(JobRole, 'JobRole');

@InputType()
abstract class DefinitionCreate {
  @Field(() => Slug, {
    nullable: true,
    description:
      'The slug, unique in the organization. Derived from the title or name when omitted.',
  })
  slug?: string | null;

  @Field(() => Description, { nullable: true, description: 'The description.' })
  description?: string | null;
}

@InputType({ description: 'A new certification type.' })
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

@InputType({
  description:
    'The properties of a certification type to change. An omitted property keeps its value.',
})
export class CertificationTypeUpdate {
  @NotNull()
  @Field(() => Slug, { nullable: true, description: 'The slug, unique in the organization.' })
  slug?: string | null;

  @NotNull()
  @Field(() => Name, { nullable: true, description: 'The title.' })
  title?: string | null;

  @NotNull()
  @Field(() => Description, { nullable: true, description: 'The description.' })
  description?: string | null;
}

@InputType()
abstract class NamedDefinitionUpdate {
  @NotNull()
  @Field(() => Slug, { nullable: true, description: 'The slug, unique in the organization.' })
  slug?: string | null;

  @NotNull()
  @Field(() => Name, { nullable: true, description: 'The name.' })
  name?: string | null;

  @NotNull()
  @Field(() => Description, { nullable: true, description: 'The description.' })
  description?: string | null;
}

@InputType({
  description: 'The properties of a qualification to change. An omitted property keeps its value.',
})
export class QualificationUpdate extends NamedDefinitionUpdate {}

@InputType({
  description: 'The properties of a job role to change. An omitted property keeps its value.',
})
export class JobRoleUpdate extends NamedDefinitionUpdate {}
