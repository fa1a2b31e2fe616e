import { Field, Int, ObjectType } from 'type-graphql';
import type { Evaluation } from '../../entities/evaluation/result.js';
import { connectionOf } from '../connection.js';
import { QualificationStatus } from '../enums.js';
import { DateScalar, DateTime, UUID } from '../scalars.js';

@ObjectType({ description: 'Whether a member is qualified, computed from the certifications held today (UTC).', simpleResolvers: true })
export class QualificationResult implements Evaluation {
  @Field(() => UUID, { description: 'The member.' })
  organizationMemberId!: string;

  @Field(() => UUID, { description: 'The qualification.' })
  qualificationId!: string;

  @Field(() => QualificationStatus, { description: 'Whether the member is qualified.' })
  status!: Evaluation['status'];

  @Field(() => Int, { description: 'How many of the required certification types the member has.' })
  metRequirementCount!: number;

  @Field(() => Int, { description: 'How many certification types are required.' })
  totalRequirementCount!: number;

  @Field(() => [UUID], { description: 'The required certification types that the member lacks, in the order of the requirements.' })
  missingCertificationTypeIds!: string[];

  @Field(() => DateScalar, { description: 'The day (UTC) that the result is about.' })
  asOf!: string;

  @Field(() => DateTime, { description: 'When this was computed.' })
  evaluatedAt!: string;
}

export const QualificationResultConnection = connectionOf(QualificationResult, 'QualificationResult');
