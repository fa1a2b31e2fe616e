import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import { mostNeeds } from '../../entities/evaluation/crew.js';
import { DateScalar, Headcount, PageSize, UUID } from '../../scalars/scalars.js';
import { defaultPageSize } from '../connection.js';

@InputType({ description: 'The number of people with a qualification that a crew needs.' })
export class CrewNeed {
  @Field(() => UUID, { description: 'An active qualification that the organization can use.' })
  qualificationId!: string;

  @Field(() => Headcount, { description: 'The number of people needed.' })
  count!: number;
}

@ObjectType({
  description: 'A member who is qualified for a need of a crew.',
  simpleResolvers: true,
})
export class CrewCandidate {
  @Field(() => UUID, { description: 'The id of the member.' })
  organizationMemberId!: string;
}

@ObjectType({ description: 'Staffing result for one crew requirement.', simpleResolvers: true })
export class CrewPlanNeed {
  @Field(() => UUID, { description: 'The id of the qualification.' })
  qualificationId!: string;

  @Field(() => Int, { description: 'The number of people needed.' })
  count!: number;

  @Field(() => Int, {
    description:
      'The number of members who are qualified on the day, including those assigned to other needs.',
  })
  eligibleCount!: number;

  @Field(() => [CrewCandidate], {
    description: 'The members assigned to this need. A member is assigned to at most one need.',
  })
  assigned!: CrewCandidate[];

  @Field(() => Int, {
    description:
      'The number of people missing for this need. The total over all needs is minimal, but its ' +
      'distribution is one of several possible.',
  })
  missingCount!: number;
}

@ObjectType({
  description:
    'Why a crew cannot be filled: the smallest set of needs that together require more people than are qualified for any of them.',
  simpleResolvers: true,
})
export class CrewShortage {
  @Field(() => [UUID], { description: 'The ids of the qualifications in the shortage.' })
  qualificationIds!: string[];

  @Field(() => Int, { description: 'The number of people that these needs require together.' })
  neededCount!: number;

  @Field(() => Int, {
    description: 'The number of members who are qualified for at least one of them.',
  })
  eligibleCount!: number;

  @Field({ description: 'The shortage as an English sentence.' })
  explanation!: string;
}

@ObjectType({
  description: 'The staffing of a crew by distinct members on a day.',
  simpleResolvers: true,
})
export class CrewPlan {
  @Field(() => DateScalar, { description: 'The day (UTC) of the plan.' })
  day!: string;

  @Field({ description: 'Whether all needs are filled.' })
  isFilled!: boolean;

  @Field(() => Int, {
    description: 'The total number of missing people. No other assignment has fewer.',
  })
  missingCount!: number;

  @Field(() => [CrewPlanNeed], {
    description: 'The result for each need, in the order of the request.',
  })
  needs!: CrewPlanNeed[];

  @Field(() => CrewShortage, {
    nullable: true,
    description: 'Why the crew cannot be filled; null when it can.',
  })
  shortage!: CrewShortage | null;
}

@ArgsType()
export class CrewArgs {
  @Field(() => [CrewNeed], {
    description: `The needs of the crew: 1 to ${mostNeeds} qualifications, each once.`,
  })
  needs!: CrewNeed[];

  @Field(() => DateScalar, { description: 'The day (UTC) of the plan, past or future.' })
  day!: string;
}

@ArgsType()
export class CandidateArgs {
  @Field(() => PageSize, {
    defaultValue: defaultPageSize,
    description: 'The maximum number of entries to return.',
  })
  first: number = defaultPageSize;
}
