import { Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, UUID } from '../../scalars/scalars.js';
import { connectionOf } from '../connection.js';
import { PreviewEffect } from '../enums.js';

@ObjectType({
  description: 'A member who would gain or lose the qualification.',
  simpleResolvers: true,
})
export class PreviewedMember {
  @Field(() => UUID, { description: 'The id of the member.' })
  organizationMemberId!: string;

  @Field(() => PreviewEffect, {
    description: 'Whether the member would gain or lose the qualification.',
  })
  effect!: 'gains' | 'loses';

  @Field(() => [UUID], {
    description: 'The ids of the certification types that the member would lack.',
  })
  missingCertificationTypeIds!: string[];
}

export const PreviewedMemberConnection = connectionOf(PreviewedMember, 'PreviewedMember');

@ObjectType({
  description: 'The effect of a change of requirements in an organization. Nothing is written.',
  simpleResolvers: true,
})
export class RequirementsPreview {
  @Field(() => DateScalar, { description: 'The day (UTC) of the preview.' })
  asOf!: string;

  @Field(() => Int, {
    description: 'The number of members who are qualified under the current requirements.',
  })
  qualifiedBefore!: number;

  @Field(() => Int, {
    description: 'The number of members who would be qualified under the new requirements.',
  })
  qualifiedAfter!: number;

  @Field(() => Int, { description: 'The number of members who would gain the qualification.' })
  gainCount!: number;

  @Field(() => Int, { description: 'The number of members who would lose the qualification.' })
  lossCount!: number;
}
