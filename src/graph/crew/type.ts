import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import { mostNeeds } from '../../entities/evaluation/crew.js';
import { defaultPageSize } from '../connection.js';
import { DateScalar, Headcount, PageSize, UUID } from '../scalars.js';

@InputType({ description: 'How many people with a qualification a crew needs.' })
export class CrewNeed {
  @Field(() => UUID, { description: 'An active qualification that the organization can use.' })
  qualificationId!: string;

  @Field(() => Headcount, { description: 'How many people.' })
  count!: number;
}

@ObjectType({ description: 'Someone who is qualified for a need of a crew.', simpleResolvers: true })
export class CrewCandidate {
  @Field(() => UUID, { description: 'The member.' })
  organizationMemberId!: string;
}

@ObjectType({ description: 'What becomes of one need of a crew.', simpleResolvers: true })
export class CrewPlanNeed {
  @Field(() => UUID, { description: 'The qualification.' })
  qualificationId!: string;

  @Field(() => Int, { description: 'How many people are needed.' })
  count!: number;

  @Field(() => Int, { description: 'How many members are qualified on the day, whatever else they are needed for.' })
  eligibleCount!: number;

  @Field(() => [CrewCandidate], { description: 'Who fills the need; nobody fills two.' })
  assigned!: CrewCandidate[];

  @Field(() => Int, {
    description: 'How many people are missing here. Over all needs as few as can be; people could be missing elsewhere instead.',
  })
  missingCount!: number;
}

@ObjectType({
  description: 'Why a crew cannot be filled: the fewest needs that together ask for more people than are qualified for any of them.',
  simpleResolvers: true,
})
export class CrewShortage {
  @Field(() => [UUID], { description: 'The qualifications.' })
  qualificationIds!: string[];

  @Field(() => Int, { description: 'How many people they need together.' })
  neededCount!: number;

  @Field(() => Int, { description: 'How many members are qualified for at least one of them.' })
  eligibleCount!: number;

  @Field({ description: 'The same as a sentence.' })
  explanation!: string;
}

@ObjectType({ description: 'Whether a crew can be filled by distinct people on a day, and by whom.', simpleResolvers: true })
export class CrewPlan {
  @Field(() => DateScalar, { description: 'The day (UTC).' })
  day!: string;

  @Field({ description: 'Whether every need is filled.' })
  isFilled!: boolean;

  @Field(() => Int, { description: 'How many people are missing in all: no other distribution leaves fewer.' })
  missingCount!: number;

  @Field(() => [CrewPlanNeed], { description: 'The needs, in the order given.' })
  needs!: CrewPlanNeed[];

  @Field(() => CrewShortage, { nullable: true, description: 'Why the crew cannot be filled; null when it can.' })
  shortage!: CrewShortage | null;
}

@ArgsType()
export class CrewArgs {
  @Field(() => [CrewNeed], { description: `What is needed: 1 to ${mostNeeds} qualifications, each once.` })
  needs!: CrewNeed[];

  @Field(() => DateScalar, { description: 'The day (UTC), past or future.' })
  day!: string;
}

@ArgsType()
export class CandidateArgs {
  @Field(() => PageSize, { defaultValue: defaultPageSize, description: 'How many to give at most.' })
  first: number = defaultPageSize;
}
