import { Extensions, Field, InputType } from 'type-graphql';
import { UUID } from '../../scalars/scalars.js';

@InputType({ description: 'One requirement of a qualification.' })
export class RequirementInput {
  @Field(() => UUID, { description: 'An active certification type that the organization can use.' })
  certificationTypeId!: string;

  @Field({
    defaultValue: true,
    description:
      'Whether the certification type is required; an optional one does not affect the result.',
  })
  isRequired: boolean = true;
}

/** Maximum number of requirements of a qualification. */
export const maxRequirements = 200;

@InputType({ description: 'The complete requirements of a qualification.' })
export class RequirementsReplace {
  @Extensions({ maxItems: maxRequirements })
  @Field(() => [RequirementInput], {
    description:
      'All requirements, in order: up to 200, each certification type once. They replace the stored ones.',
  })
  requirements!: RequirementInput[];
}
