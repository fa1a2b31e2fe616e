import { Field, Int, ObjectType } from 'type-graphql';
import type { Evaluation } from '../../rules/evaluation/result.js';
import { DateScalar, DateTime, UUID } from '../../scalars/scalars.js';
import { QualificationStatus } from '../enums.js';
import { connectionOf } from '../reads/connection.js';

@ObjectType({
  description:
    'The result of a member for a qualification on a day (UTC), computed from the certification records.',
  simpleResolvers: true,
})
export class QualificationResult implements Evaluation {
  @Field(() => UUID, { description: 'The id of the member.' })
  organizationMemberId!: string;

  @Field(() => UUID, { description: 'The id of the qualification.' })
  qualificationId!: string;

  @Field(() => QualificationStatus, { description: 'Whether the member is qualified.' })
  status!: Evaluation['status'];

  @Field(() => Int, {
    description: 'The number of required certification types that the member holds.',
  })
  metRequirementCount!: number;

  @Field(() => Int, { description: 'The number of required certification types.' })
  totalRequirementCount!: number;

  @Field(() => [UUID], {
    description:
      'The ids of the required certification types that the member lacks, in the order of the requirements.',
  })
  missingCertificationTypeIds!: string[];

  @Field(() => DateScalar, { description: 'The day (UTC) of the result.' })
  asOf!: string;

  @Field(() => DateTime, { description: 'The time at which the result was computed.' })
  evaluatedAt!: string;
}

export const QualificationResultConnection = connectionOf(
  QualificationResult,
  'QualificationResult',
);
