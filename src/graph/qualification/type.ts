import { Field, InputType, ObjectType } from 'type-graphql';
import { DateTime, UUID } from '../scalars.js';

@ObjectType({ description: 'Ties a qualification to a certification type.', simpleResolvers: true })
export class QualificationRequirement {
  @Field(() => UUID, { description: 'The qualification.' })
  qualificationId!: string;

  @Field(() => UUID, { description: 'The certification type.' })
  certificationTypeId!: string;

  @Field({ description: 'Whether the qualification cannot be had without it.' })
  isRequired!: boolean;

  @Field(() => DateTime, { description: 'When the type joined the requirements.' })
  createdAt!: string;

  @Field(() => DateTime, { description: 'When the requirement last changed.' })
  updatedAt!: string;
}

@InputType({ description: 'One requirement of a set.' })
export class RequirementInput {
  @Field(() => UUID, { description: 'An active certification type that the organization can use.' })
  certificationTypeId!: string;

  @Field({ defaultValue: true, description: 'Whether the qualification cannot be had without it.' })
  isRequired: boolean = true;
}

@InputType({ description: 'The whole set of requirements of a qualification.' })
export class RequirementsReplace {
  @Field(() => [RequirementInput], { description: 'All requirements, in order; up to 200, each type once. They replace the stored set.' })
  requirements!: RequirementInput[];
}
