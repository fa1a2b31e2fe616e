import { Field, Int, ObjectType } from 'type-graphql';
import type { ResultStatus } from '../../entities/evaluation/result.js';
import { connectionOf } from '../connection.js';
import { AssumedSize } from '../cost/plan.js';
import { QualificationStatus } from '../enums.js';
import { DateScalar, UUID } from '../scalars.js';

@ObjectType({ description: 'How one member stands with one qualification.', simpleResolvers: true })
export class ReadinessCell {
  @Field(() => UUID, { description: 'The qualification.' })
  qualificationId!: string;

  @Field(() => QualificationStatus, { description: 'Whether the member is qualified.' })
  status!: ResultStatus;

  @Field(() => Int, { description: 'How many of the required certification types the member has.' })
  metRequirementCount!: number;

  @Field(() => Int, { description: 'How many certification types are required.' })
  totalRequirementCount!: number;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'The first day on which a qualified member no longer is, by the dates of the records; null when none is foreseen.',
  })
  lostOn!: string | null;
}

@ObjectType({ description: 'How one member stands: a row of the matrix.', simpleResolvers: true })
export class MemberReadiness {
  @Field(() => UUID, { description: 'The member.' })
  organizationMemberId!: string;

  @AssumedSize(30)
  @Field(() => [ReadinessCell], { description: 'One cell for each qualification, in the order of `totals`.' })
  cells!: ReadinessCell[];
}

export const MemberReadinessConnection = connectionOf(MemberReadiness, 'MemberReadiness');

@ObjectType({ description: 'How many are qualified for one qualification: the foot of a column of the matrix.', simpleResolvers: true })
export class ReadinessTotal {
  @Field(() => UUID, { description: 'The qualification.' })
  qualificationId!: string;

  @Field(() => Int, { description: 'How many of the matching members are qualified.' })
  qualifiedCount!: number;
}

@ObjectType({
  description: 'Members and qualifications as a matrix: who is ready for what. All members but the suspended.',
  simpleResolvers: true,
})
export class Readiness {
  @Field(() => DateScalar, { description: 'The day (UTC) that the matrix is about.' })
  asOf!: string;

  @Field(() => Int, { description: 'How many members match.' })
  memberCount!: number;
}
