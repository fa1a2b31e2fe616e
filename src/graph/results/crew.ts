import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  InputType,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { invalid, type Problems } from '../../errors.js';
import { fillCrew, maxNeeds, type Shortage } from '../../rules/evaluation/crew.js';
import { isMet } from '../../rules/evaluation/result.js';
import { DateScalar, Headcount, PageSize, UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { asOfFrom } from '../evaluation/as-of.js';
import { type Definition, decisiveTypes, readDefinitions } from '../evaluation/definitions.js';
import { readRosterHeld } from '../evaluation/holdings.js';
import { memberLink, qualificationLink } from '../evaluation/links.js';
import { defaultPageSize } from '../reads/connection.js';

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
    description: `The needs of the crew: 1 to ${maxNeeds} qualifications, each once.`,
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

/** A need with its eligible members in order of name. */
export interface PlannedNeed extends CrewPlanNeed {
  readonly organizationId: string;
  readonly eligible: readonly string[];
}

/**
 * @throws {ApiError} `validation_error` for duplicate or too many needs, or qualifications that the
 * organization cannot use.
 */
export async function planCrew(
  ctx: Context,
  organizationId: string,
  { needs, day }: CrewArgs,
): Promise<CrewPlan> {
  requireSensible(needs);
  const qualificationIds = needs.map(({ qualificationId }) => qualificationId);
  const definitions = await readDefinitions(
    ctx,
    { organizationId, qualificationIds },
    (index) => `needs.${index}.qualificationId`,
  );
  const held = await readRosterHeld(
    ctx,
    { organizationId },
    decisiveTypes(definitions),
    asOfFrom(ctx, { asOf: day }),
  );
  const eligible = definitions.map(({ required }) =>
    [...held].filter(([, types]) => isMet(required, types)).map(([id]) => id),
  );
  const { assigned, shortage } = fillCrew(
    needs.map(({ count }, index) => ({ count, eligible: eligible[index] ?? [] })),
  );
  const planned = needs.map((need, index): PlannedNeed => {
    const takes = assigned[index] ?? [];
    return {
      ...need,
      organizationId,
      eligible: eligible[index] ?? [],
      eligibleCount: eligible[index]?.length ?? 0,
      assigned: takes.map((organizationMemberId) => ({ organizationId, organizationMemberId })),
      missingCount: need.count - takes.length,
    };
  });
  const missingCount = planned.reduce((sum, need) => sum + need.missingCount, 0);
  return {
    day,
    isFilled: missingCount === 0,
    missingCount,
    needs: planned,
    shortage: shortage ? describeShortage(shortage, definitions, day) : null,
  };
}

function requireSensible(needs: readonly CrewNeed[]): void {
  if (needs.length === 0 || needs.length > maxNeeds)
    throw invalid({ needs: [`must have 1 to ${maxNeeds} entries`] });
  const problems: Problems = {};
  for (const [index, { qualificationId }] of needs.entries()) {
    const first = needs.findIndex((need) => need.qualificationId === qualificationId);
    if (first !== index)
      problems[`needs.${index}.qualificationId`] = [`is the same qualification as needs.${first}`];
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
}

function describeShortage(
  { needs, wanted, available }: Shortage,
  definitions: readonly Definition[],
  day: string,
): CrewShortage {
  const which = needs.flatMap((need) => definitions[need] ?? []);
  const names = new Intl.ListFormat('en').format(which.map(({ name }) => name));
  const people = (count: number) => (count === 1 ? '1 person' : `${count} people`);
  const needed =
    which.length === 1
      ? `${names} needs ${people(wanted)}`
      : `${names} together need ${people(wanted)}`;
  const found =
    available === 0 ? 'no member is' : `only ${available} ${available === 1 ? 'is' : 'are'}`;
  const explanation = `${needed}, and ${found} qualified for ${which.length === 1 ? 'it' : 'any of them'} on ${day}.`;
  return {
    qualificationIds: which.map(({ id }) => id),
    neededCount: wanted,
    eligibleCount: available,
    explanation,
  };
}

@Resolver(() => CrewPlanNeed)
export class CrewResolver {
  @Query(() => CrewPlan, {
    description:
      'Plans a crew for a day: assigns distinct qualified members to the needs and reports ' +
      'shortages. Nothing is written. Requires the `admin` or `manager` role.',
  })
  @Scope('organization_members:read', 'certification_records:read')
  planCrew(
    @Arg('organizationId', () => UUID, { description: 'The id of the organization.' })
    organizationId: string,
    @Args(() => CrewArgs) args: CrewArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
  ) {
    caller.managed(organizationId);
    return planCrew(ctx, organizationId, args);
  }

  @FieldResolver(() => [CrewCandidate], {
    description:
      'The members who are qualified on the day, in order of name; `eligibleCount` is their total number.',
  })
  eligible(
    @Root() { organizationId, eligible }: PlannedNeed,
    @Args(() => CandidateArgs) { first }: CandidateArgs,
  ) {
    return eligible
      .slice(0, first)
      .map((organizationMemberId) => ({ organizationId, organizationMemberId }));
  }
}

export const CrewCandidateLink = memberLink(CrewCandidate);
export const CrewPlanNeedLink = qualificationLink(CrewPlanNeed);
