import { Field, Int, ObjectType } from 'type-graphql';
import { connectionOf } from '../connection.js';
import { PreviewEffect } from '../enums.js';
import { DateScalar, UUID } from '../scalars.js';

@ObjectType({ description: 'A member for whom a change of requirements would matter.', simpleResolvers: true })
export class PreviewedMember {
  @Field(() => UUID, { description: 'The member.' })
  organizationMemberId!: string;

  @Field(() => PreviewEffect, { description: 'Whether the member would gain or lose the qualification.' })
  effect!: 'gains' | 'loses';

  @Field(() => [UUID], { description: 'The certification types that the member would lack.' })
  missingCertificationTypeIds!: string[];
}

export const PreviewedMemberConnection = connectionOf(PreviewedMember, 'PreviewedMember');

@ObjectType({ description: 'What a change of requirements would do in an organization. Nothing is written.', simpleResolvers: true })
export class RequirementsPreview {
  @Field(() => DateScalar, { description: 'The day (UTC) that the preview is about.' })
  asOf!: string;

  @Field(() => Int, { description: 'How many members are qualified by the requirements as they are.' })
  qualifiedBefore!: number;

  @Field(() => Int, { description: 'How many would be qualified by the new ones.' })
  qualifiedAfter!: number;

  @Field(() => Int, { description: 'How many would gain the qualification.' })
  gainCount!: number;

  @Field(() => Int, { description: 'How many would lose it.' })
  lossCount!: number;
}
