import { Field, InputType } from 'type-graphql';
import { NotNull } from '../blank.js';

@InputType({ description: 'The properties of a job role assignment.' })
export class JobRoleAssign {
  @NotNull()
  @Field({
    nullable: true,
    description:
      'Whether this becomes the main job role of the member. When omitted, an existing ' +
      'assignment keeps its value and a new one gets false.',
  })
  isPrimary?: boolean;
}
