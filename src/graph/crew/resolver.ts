import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { Caller, Scope } from '../access.js';
import { memberLink, qualificationLink } from '../evaluation/links.js';
import { UUID } from '../scalars.js';
import { type PlannedNeed, planCrew } from './reads.js';
import { CandidateArgs, CrewArgs, CrewCandidate, CrewPlan, CrewPlanNeed } from './type.js';

@Resolver(() => CrewPlanNeed)
export class CrewResolver {
  @Query(() => CrewPlan, {
    description: 'Whether a crew can be filled by distinct members on a day, by whom, and what is missing. For managers.',
  })
  @Scope('organization_members:read', 'certification_records:read')
  planCrew(
    @Arg('organizationId', () => UUID, { description: 'The organization.' }) organizationId: string,
    @Args(() => CrewArgs) args: CrewArgs,
    @Caller() caller: Access,
    @Ctx() ctx: Context,
  ) {
    caller.managed(organizationId);
    return planCrew(ctx, organizationId, args);
  }

  @FieldResolver(() => [CrewCandidate], { description: 'Who is qualified on the day, by name: `eligibleCount` in all.' })
  eligible(@Root() { organizationId, eligible }: PlannedNeed, @Args(() => CandidateArgs) { first }: CandidateArgs) {
    return eligible.slice(0, first).map((organizationMemberId) => ({ organizationId, organizationMemberId }));
  }
}

export const CrewCandidateLink = memberLink(CrewCandidate);
export const CrewPlanNeedLink = qualificationLink(CrewPlanNeed);
