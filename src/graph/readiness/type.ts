import { Field, Int, ObjectType } from 'type-graphql';
import type { ResultStatus } from '../../entities/evaluation/result.js';
import { DateScalar, UUID } from '../../scalars/scalars.js';
import { connectionOf } from '../connection.js';
import { AssumedSize } from '../cost/plan.js';
import { QualificationStatus } from '../enums.js';

@ObjectType({
  description: 'The status of one member for one qualification.',
  simpleResolvers: true,
})
export class ReadinessCell {
  @Field(() => UUID, { description: 'The id of the qualification.' })
  qualificationId!: string;

  @Field(() => QualificationStatus, { description: 'Whether the member is qualified.' })
  status!: ResultStatus;

  @Field(() => Int, {
    description: 'The number of required certification types that the member holds.',
  })
  metRequirementCount!: number;

  @Field(() => Int, { description: 'The number of required certification types.' })
  totalRequirementCount!: number;

  @Field(() => DateScalar, {
    nullable: true,
    description:
      'The first day on which a qualified member is no longer qualified, derived from the dates ' +
      'of the records. Null when no such day is known.',
  })
  lostOn!: string | null;
}

@ObjectType({
  description: 'One row of the matrix: a member and the status for each qualification.',
  simpleResolvers: true,
})
export class MemberReadiness {
  @Field(() => UUID, { description: 'The id of the member.' })
  organizationMemberId!: string;

  @AssumedSize(30)
  @Field(() => [ReadinessCell], {
    description: 'The cells of the row, one for each qualification in the order of `totals`.',
  })
  cells!: ReadinessCell[];
}

export const MemberReadinessConnection = connectionOf(MemberReadiness, 'MemberReadiness');

@ObjectType({
  description:
    'The number of qualified members for one qualification: the total of a column of the matrix.',
  simpleResolvers: true,
})
export class ReadinessTotal {
  @Field(() => UUID, { description: 'The id of the qualification.' })
  qualificationId!: string;

  @Field(() => Int, { description: 'The number of matching members who are qualified.' })
  qualifiedCount!: number;
}

@ObjectType({
  description: 'A readiness matrix of members and qualifications. Suspended members are excluded.',
  simpleResolvers: true,
})
export class Readiness {
  @Field(() => DateScalar, { description: 'The day (UTC) of the matrix.' })
  asOf!: string;

  @Field(() => Int, { description: 'The number of matching members.' })
  memberCount!: number;
}
