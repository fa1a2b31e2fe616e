import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import type { Access } from '../../auth/policy.js';
import type { Context } from '../../context.js';
import { UUID } from '../../scalars/scalars.js';
import { Caller, Scope } from '../access.js';
import { memberLink, qualificationLink } from '../evaluation/links.js';
import { type PlannedNeed, planCrew } from './reads.js';
import { CandidateArgs, CrewArgs, CrewCandidate, CrewPlan, CrewPlanNeed } from './type.js';

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
